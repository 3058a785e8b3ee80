import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createOfflineModel } from "./offline/offline.ts";

export interface ModelsConfig {
  /** `DOCENT_MODEL_BASE_URL`: where an OpenAI-compatible server answers, e.g. `http://127.0.0.1:11434/v1`. */
  modelBaseUrl?: string;
  /** `DOCENT_MODEL_API_KEY`: its key; some servers need none. */
  modelApiKey?: string;
}

export interface Models {
  /**
   * The model of a `provider:model` name, as `DOCENT_MODEL` has it.
   * @throws ModelNameError when the provider is not known or its settings are missing
   */
  resolve(name: string): { name: string; model: LanguageModelV4 };
}

/** `DOCENT_MODEL` cannot be used as it stands. The message says what is allowed. */
export class ModelNameError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ModelNameError";
  }
}

/** A provider makes a model from the part of the name after the colon. */
type Provider = (modelId: string) => LanguageModelV4;

/** Every provider by the first part of a model's name. Another provider is one more line here. */
function createProviders(config: ModelsConfig): Record<string, { example: string; create: Provider }> {
  return {
    docent: { example: "docent:offline", create: createDocentModel },
    "openai-compatible": {
      example: "openai-compatible:<model>",
      create: (modelId) => createCompatibleModel(config, modelId),
    },
  };
}

export function createModels(config: ModelsConfig): Models {
  const providers = createProviders(config);
  return {
    resolve(name) {
      const colon = name.indexOf(":");
      const providerName = colon < 0 ? name : name.slice(0, colon);
      const modelId = colon < 0 ? "" : name.slice(colon + 1);
      const provider = Object.hasOwn(providers, providerName) ? providers[providerName] : undefined;
      if (provider === undefined || modelId === "") {
        const known = Object.values(providers).map(({ example }) => example);
        throw new ModelNameError(`DOCENT_MODEL=${name} is not a known model. Known are: ${known.join(", ")}.`);
      }
      return { name, model: provider.create(modelId) };
    },
  };
}

function createDocentModel(modelId: string): LanguageModelV4 {
  if (modelId !== "offline") {
    throw new ModelNameError(`DOCENT_MODEL=docent:${modelId} is not a known model. Docent's own is docent:offline.`);
  }
  return createOfflineModel();
}

function createCompatibleModel({ modelBaseUrl, modelApiKey }: ModelsConfig, modelId: string): LanguageModelV4 {
  if (modelBaseUrl === undefined || modelBaseUrl === "") {
    throw new ModelNameError(
      `DOCENT_MODEL=openai-compatible:${modelId} needs DOCENT_MODEL_BASE_URL, for example http://127.0.0.1:11434/v1.`,
    );
  }
  return createOpenAICompatible({
    name: "openai-compatible",
    baseURL: modelBaseUrl,
    ...(modelApiKey === undefined || modelApiKey === "" ? {} : { apiKey: modelApiKey }),
  }).chatModel(modelId);
}
