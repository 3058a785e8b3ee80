import * as parse from "./parsers.ts";
import { optional, required } from "./variable.ts";

function key(name: string, provider: string, example: string) {
  return optional({
    name,
    meaning: `The key of ${provider}, for projects that have none of their own. It is used when a model is \`${provider}:…\`, and never otherwise.`,
    parse: parse.credential(1),
    otherwise: "each project needs its own",
    example,
    secret: true,
  });
}

function baseUrl(name: string, provider: string, usual: string, example: string) {
  return optional({
    name,
    meaning: `Where the API of \`${provider}\` answers, for a gateway in front of it.`,
    parse: parse.baseUrl,
    otherwise: `\`${usual}\``,
    example,
  });
}

const seconds = { parse: parse.integer({ min: 1, max: 86_400 }) };

/** The variables of language models. */
export const MODEL_VARIABLES = {
  model: required({
    name: "DOCENT_MODEL",
    meaning:
      "The model that does the work, as `provider:model`, unless the project names another. `docent:offline` follows a fixed set of instructions and needs no key and no network.",
    parse: parse.model,
    default: "docent:offline",
    example: "anthropic:claude-sonnet-5-5",
  }),
  modelFallback: optional({
    name: "DOCENT_MODEL_FALLBACK",
    meaning: "The model that goes on when a job's own refuses: overloaded, not there, or its key refused.",
    parse: parse.model,
    otherwise: "none",
    example: "openai:gpt-5.6-terra",
  }),
  modelBaseUrl: optional({
    name: "DOCENT_MODEL_BASE_URL",
    meaning: "The address of an API that speaks OpenAI's format, for `openai-compatible:` models.",
    parse: parse.baseUrl,
    otherwise: "none",
    example: "http://localhost:11434/v1",
  }),
  modelApiKey: optional({
    name: "DOCENT_MODEL_API_KEY",
    meaning: "The key for that API, where it wants one.",
    parse: parse.credential(1),
    otherwise: "none",
    example: "sk-…",
    secret: true,
  }),
  anthropicApiKey: key("ANTHROPIC_API_KEY", "anthropic", "sk-ant-…"),
  anthropicBaseUrl: baseUrl(
    "ANTHROPIC_BASE_URL",
    "anthropic",
    "https://api.anthropic.com/v1",
    "https://gateway.example.com/anthropic/v1",
  ),
  openaiApiKey: key("OPENAI_API_KEY", "openai", "sk-…"),
  openaiBaseUrl: baseUrl(
    "OPENAI_BASE_URL",
    "openai",
    "https://api.openai.com/v1",
    "https://gateway.example.com/openai/v1",
  ),
  googleApiKey: key("GOOGLE_GENERATIVE_AI_API_KEY", "google", "AIza…"),
  googleBaseUrl: baseUrl(
    "GOOGLE_GENERATIVE_AI_BASE_URL",
    "google",
    "https://generativelanguage.googleapis.com/v1beta",
    "https://gateway.example.com/google/v1beta",
  ),
  bedrockApiKey: key("AWS_BEARER_TOKEN_BEDROCK", "bedrock", "bedrock-api-key-…"),
  awsAccessKeyId: optional({
    name: "AWS_ACCESS_KEY_ID",
    meaning: "With `AWS_SECRET_ACCESS_KEY`, the other way to sign in to `bedrock`.",
    parse: parse.credential(1),
    otherwise: "none",
    example: "AKIA…",
    secret: true,
  }),
  awsSecretAccessKey: optional({
    name: "AWS_SECRET_ACCESS_KEY",
    meaning: "Belongs to `AWS_ACCESS_KEY_ID`.",
    parse: parse.credential(1),
    otherwise: "none",
    example: "wJalr…",
    secret: true,
  }),
  awsSessionToken: optional({
    name: "AWS_SESSION_TOKEN",
    meaning: "Belongs to an `AWS_ACCESS_KEY_ID` that is temporary.",
    parse: parse.credential(1),
    otherwise: "none",
    example: "IQoJb3…",
    secret: true,
  }),
  awsRegion: optional({
    name: "AWS_REGION",
    meaning: "Where `bedrock` models run. They need it.",
    parse: parse.awsRegion,
    otherwise: "none",
    example: "eu-central-1",
  }),
  bedrockBaseUrl: baseUrl(
    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    "bedrock",
    "https://bedrock-runtime.<region>.amazonaws.com",
    "https://vpce-….bedrock-runtime.eu-central-1.vpce.amazonaws.com",
  ),
  modelPrices: optional({
    name: "DOCENT_MODEL_PRICES",
    meaning:
      "Prices and context windows of models that Docent does not know, or that you have other prices for: a JSON object from `provider:model` to `input`, `output`, `cachedInput`, `cacheWrite` (US dollars per million tokens) and `contextTokens`.",
    parse: parse.modelPrices,
    otherwise: "a catalogue of public prices",
    example: '{"openai-compatible:qwen3-coder":{"input":0,"output":0,"contextTokens":131072}}',
  }),
  modelStartSecondsMax: required({
    name: "DOCENT_MODEL_START_SECONDS_MAX",
    meaning: "How long a model may be silent before its answer begins.",
    ...seconds,
    default: "300",
    example: "60",
  }),
  modelPauseSecondsMax: required({
    name: "DOCENT_MODEL_PAUSE_SECONDS_MAX",
    meaning: "How long it may be silent in the middle of an answer. Some think for minutes without a word.",
    ...seconds,
    default: "300",
    example: "60",
  }),
  modelAnswerSecondsMax: required({
    name: "DOCENT_MODEL_ANSWER_SECONDS_MAX",
    meaning: "How long one answer may take as a whole.",
    ...seconds,
    default: "1200",
    example: "600",
  }),
  traceContent: required({
    name: "DOCENT_TRACE_CONTENT",
    meaning: "`1` puts prompts, documents and answers into the traces of model calls, where somebody collects those.",
    parse: parse.oneOf(["0", "1"]),
    default: "0",
    example: "1",
  }),
} as const;

/** Keys of model providers, by which the start's banner says that a model could be chosen: a key alone chooses none. */
export const MODEL_KEY_VARIABLES: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GEMINI_API_KEY",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AZURE_API_KEY",
  "MISTRAL_API_KEY",
  "GROQ_API_KEY",
  "XAI_API_KEY",
  "DEEPSEEK_API_KEY",
  "OPENROUTER_API_KEY",
];
