import { createProviderRegistry, customProvider } from "ai";
import type { LanguageModelV4, ProviderV4 } from "@ai-sdk/provider";
import { factsOfCatalogue, factsOfPrice, FREE, type ModelFacts, type ModelPrice } from "./facts.ts";
import { createOfflineModel } from "./offline/offline.ts";
import { PROVIDERS, readStoredKey, type ProviderName, type ProviderSettings } from "./providers.ts";

export type { ModelFacts } from "./facts.ts";

export interface ModelsOptions {
  /** The server's own keys and addresses. A provider without an entry has neither. */
  providers?: Partial<Record<ProviderName, ProviderSettings>>;
  /** A project's own key, which wins. */
  readKey?: (projectId: string, provider: ProviderName) => Promise<string | undefined>;
  /** By `provider:model`; they win over the catalogue. */
  prices?: Readonly<Record<string, ModelPrice>>;
  /** The way to the providers. Default: directly. */
  fetch?: typeof globalThis.fetch;
}

/** A model that can be called. */
export interface ResolvedModel {
  /** `provider:model`. */
  name: string;
  provider: ProviderName | "docent";
  model: LanguageModelV4;
  facts: ModelFacts;
}

export interface Models {
  /**
   * The model of a `provider:model` name with the project's key, else the server's.
   * @throws ModelNameError when `check` does, or when there is no key
   */
  resolve(name: string, options?: { projectId?: string }): Promise<ResolvedModel>;
  /** @throws ModelNameError when no project could use a model of this name here. */
  check(name: string): void;
  /** What a project needs that has no key of its own; undefined when it needs none. */
  missingKey(name: string): string | undefined;
}

/** A model's name cannot be used as it stands. The message says what is allowed, or what is missing. */
export class ModelNameError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ModelNameError";
  }
}

const OFFLINE = "docent:offline";

// The packages' hints for programmers, which would go to the terminal of whoever runs the service.
globalThis.AI_SDK_LOG_WARNINGS = false;

export function createModels(options: ModelsOptions): Models {
  const { providers: settings = {}, prices = {}, fetch = globalThis.fetch } = options;
  const docent = customProvider({ languageModels: { offline: createOfflineModel() } });
  /** With the server's keys: made once each. */
  const shared = new Map<ProviderName, Promise<ProviderV4>>();

  function check(name: string): ProviderName | "docent" {
    if (name === OFFLINE) return "docent";
    const provider = providerOf(name);
    const { baseUrl, region } = settings[provider] ?? {};
    if (provider === "openai-compatible" && baseUrl === undefined) {
      throw new ModelNameError(`${name} needs DOCENT_MODEL_BASE_URL, for example http://127.0.0.1:11434/v1.`);
    }
    if (provider === "bedrock" && region === undefined) {
      throw new ModelNameError(`${name} needs AWS_REGION, for example eu-central-1.`);
    }
    return provider;
  }

  async function open(name: string, provider: ProviderName, projectId: string | undefined): Promise<ProviderV4> {
    const { create, keyIsOptional, title, keyVariable } = PROVIDERS[provider];
    const own = projectId === undefined ? undefined : await options.readKey?.(projectId, provider);
    const server = settings[provider];
    if (own !== undefined) return create({ ...server, key: readStoredKey(provider, own), fetch });
    if (server?.key === undefined && keyIsOptional === undefined) {
      throw new ModelNameError(`${name} needs a key of ${title}: the project's own, or ${keyVariable} on the server.`);
    }
    const known = shared.get(provider) ?? create({ ...server, fetch });
    shared.set(provider, known);
    return known;
  }

  return {
    async resolve(name, { projectId } = {}) {
      const provider = check(name);
      const opened = provider === "docent" ? docent : await open(name, provider, projectId);
      const registry = createProviderRegistry({ [provider]: opened });
      const model = registry.languageModel(name as `${string}:${string}`);
      return { name, provider, model, facts: await factsOf(name, provider, prices[name], settings) };
    },

    check: (name) => void check(name),

    missingKey(name) {
      const provider = check(name);
      if (provider === "docent" || PROVIDERS[provider].keyIsOptional !== undefined) return undefined;
      return settings[provider]?.key === undefined ? PROVIDERS[provider].keyVariable : undefined;
    },
  };
}

function providerOf(name: string): ProviderName {
  const colon = name.indexOf(":");
  const given = colon < 0 ? name : name.slice(0, colon);
  const provider = Object.keys(PROVIDERS).find((known): known is ProviderName => known === given);
  if (provider === undefined || colon < 0 || name.length === colon + 1) {
    const known = [OFFLINE, ...Object.values(PROVIDERS).map(({ example }) => example)];
    throw new ModelNameError(`${name} is not a known model. Known are, for example: ${known.join(", ")}.`);
  }
  return provider;
}

function factsOf(
  name: string,
  provider: ProviderName | "docent",
  price: ModelPrice | undefined,
  settings: NonNullable<ModelsOptions["providers"]>,
): ModelFacts | Promise<ModelFacts> {
  if (provider === "docent") return FREE;
  if (price !== undefined) return factsOfPrice(price);
  const { catalogueName } = PROVIDERS[provider];
  const baseUrl = settings[provider]?.baseUrl;
  return factsOfCatalogue(name.slice(provider.length + 1), {
    ...(catalogueName === undefined ? {} : { catalogueName }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
}
