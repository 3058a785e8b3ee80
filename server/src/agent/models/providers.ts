import type { ProviderV4 } from "@ai-sdk/provider";

export type ProviderName = "anthropic" | "openai" | "google" | "bedrock" | "openai-compatible";

/** AWS credentials, where `bedrock` has no API key. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** What one server has to reach a provider with. */
export interface ProviderSettings {
  /** Of `bedrock` also AWS credentials. */
  key?: string | AwsCredentials;
  /** Absent: the provider's own address. */
  baseUrl?: string;
  /** Of `bedrock`. */
  region?: string;
}

interface Access extends ProviderSettings {
  fetch: typeof globalThis.fetch;
}

interface ProviderEntry {
  /** In sentences: who said it. */
  title: string;
  /** The variables that hold its key. */
  keyVariable: string;
  baseUrlVariable: string;
  example: string;
  /** Some servers that speak OpenAI's format need no key. */
  keyIsOptional?: true;
  /** Its name in the catalogue of prices. */
  catalogueName?: string;
  /**
   * Loads the provider's package, which costs memory that `docent:offline` does not need. Everything that the package
   * would otherwise read from the environment is given to it, empty where there is none.
   */
  create(access: Access): Promise<ProviderV4>;
}

/** Every provider by the first part of a model's name. Another one is one more entry. */
export const PROVIDERS: Readonly<Record<ProviderName, ProviderEntry>> = {
  anthropic: {
    title: "Anthropic",
    keyVariable: "ANTHROPIC_API_KEY",
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    example: "anthropic:claude-sonnet-5-5",
    catalogueName: "anthropic",
    async create({ key, baseUrl = "https://api.anthropic.com/v1", fetch }) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ apiKey: plainKey(key), baseURL: baseUrl, fetch });
    },
  },
  openai: {
    title: "OpenAI",
    keyVariable: "OPENAI_API_KEY",
    baseUrlVariable: "OPENAI_BASE_URL",
    example: "openai:gpt-5.6-terra",
    catalogueName: "openai",
    async create({ key, baseUrl = "https://api.openai.com/v1", fetch }) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ apiKey: plainKey(key), baseURL: baseUrl, fetch });
    },
  },
  google: {
    title: "Google",
    keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
    baseUrlVariable: "GOOGLE_GENERATIVE_AI_BASE_URL",
    example: "google:gemini-3.8-flash",
    catalogueName: "google",
    async create({ key, baseUrl = "https://generativelanguage.googleapis.com/v1beta", fetch }) {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ apiKey: plainKey(key), baseURL: baseUrl, fetch });
    },
  },
  bedrock: {
    title: "Amazon Bedrock",
    keyVariable: "AWS_BEARER_TOKEN_BEDROCK or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    baseUrlVariable: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    example: "bedrock:eu.anthropic.claude-sonnet-5-5",
    catalogueName: "aws",
    async create({ key, region = "", baseUrl = bedrockUrl(region), fetch }) {
      const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
      const credentials = typeof key === "object" ? key : { accessKeyId: "", secretAccessKey: "" };
      return createAmazonBedrock({ apiKey: plainKey(key), ...credentials, region, baseURL: baseUrl, fetch });
    },
  },
  "openai-compatible": {
    title: "The model's server",
    keyVariable: "DOCENT_MODEL_API_KEY",
    baseUrlVariable: "DOCENT_MODEL_BASE_URL",
    example: "openai-compatible:<model>",
    keyIsOptional: true,
    async create({ key, baseUrl = "", fetch }) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const apiKey = plainKey(key);
      return createOpenAICompatible({
        name: "openai-compatible",
        baseURL: baseUrl,
        includeUsage: true,
        fetch,
        ...(apiKey === "" ? {} : { apiKey }),
      });
    },
  },
};

function plainKey(key: ProviderSettings["key"]): string {
  return typeof key === "string" ? key : "";
}

/** As https://docs.aws.amazon.com/general/latest/gr/bedrock.html lists them; regions of China have a domain of their own. */
function bedrockUrl(region: string): string {
  return `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

/**
 * A project's stored key of a provider. Of `bedrock` it may be AWS credentials, as JSON with `accessKeyId`,
 * `secretAccessKey` and perhaps `sessionToken`.
 */
export function readStoredKey(provider: ProviderName, stored: string): NonNullable<ProviderSettings["key"]> {
  if (provider !== "bedrock" || !stored.trimStart().startsWith("{")) return stored;
  try {
    const { accessKeyId, secretAccessKey, sessionToken }: Partial<AwsCredentials> = JSON.parse(stored);
    if (typeof accessKeyId !== "string" || typeof secretAccessKey !== "string") return stored;
    return { accessKeyId, secretAccessKey, ...(typeof sessionToken === "string" ? { sessionToken } : {}) };
  } catch {
    return stored;
  }
}
