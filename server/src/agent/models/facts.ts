import type { Usage } from "../transcript.ts";

/** US dollars per million tokens, and how many tokens the model can read at once. */
export interface ModelPrice {
  input: number;
  output: number;
  /** As `input` when absent. */
  cachedInput?: number;
  /** As `input` when absent. */
  cacheWrite?: number;
  contextTokens?: number;
}

/** What is known of a model. */
export interface ModelFacts {
  /** How many tokens it can read and write in one call; null when that is not known. */
  contextTokens: number | null;
  /** What a call costs, in billionths of a US dollar; null when the price is not known. */
  costNanoUsd(usage: Usage): number | null;
}

export const FREE: ModelFacts = { contextTokens: null, costNanoUsd: () => 0 };

/** A price that an administrator set. */
export function factsOfPrice(price: ModelPrice): ModelFacts {
  const { input, output, cachedInput = input, cacheWrite = input, contextTokens = null } = price;
  return {
    contextTokens,
    costNanoUsd: ({ inputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, outputTokens }) => {
      const uncached = Math.max(inputTokens - cachedInputTokens - cacheWriteTokens, 0);
      const microUsd =
        uncached * input + cachedInputTokens * cachedInput + cacheWriteTokens * cacheWrite + outputTokens * output;
      return Math.round(microUsd * 1_000);
    },
  };
}

/**
 * What the catalogue of public prices says: https://github.com/pydantic/genai-prices, as it was when the package was
 * published. It knows prices by date and by the length of the prompt.
 */
export async function factsOfCatalogue(
  modelId: string,
  place: { catalogueName?: string; baseUrl?: string },
): Promise<ModelFacts> {
  // 40 ms and 20 MB, which `docent:offline` does not need.
  const { calcPrice, findProvider } = await import("@pydantic/genai-prices");
  const provider =
    place.catalogueName === undefined
      ? findProvider(place.baseUrl === undefined ? {} : { providerApiUrl: place.baseUrl })
      : findProvider({ providerId: place.catalogueName });
  if (provider === undefined) return { contextTokens: null, costNanoUsd: () => null };
  const price = (usage: Usage) => {
    const cacheRead = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
    const cacheWrite = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cacheRead);
    const tokens = {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      ...(cacheRead > 0 ? { cache_read_tokens: cacheRead } : {}),
      ...(cacheWrite > 0 ? { cache_write_tokens: cacheWrite } : {}),
    };
    return calcPrice(tokens, modelId, { provider });
  };
  return {
    contextTokens: price({ inputTokens: 0, outputTokens: 0 })?.model.context_window ?? null,
    costNanoUsd: (usage) => {
      const found = price(usage);
      return found === null ? null : Math.round(found.total_price * 1e9);
    },
  };
}
