import { createModels, ModelNameError, type Models, type ModelsOptions } from "./agent/models/models.ts";
import type { AwsCredentials, ProviderSettings } from "./agent/models/providers.ts";
import type { Config } from "./config.ts";
import type { ModelCalls } from "./jobs/job-run.ts";
import { StartError } from "./start-error.ts";

/**
 * The models that the configuration gives access to.
 * @throws StartError when its own model, or the one that stands in for it, can never be used
 */
export function openModels(config: Config, options: Pick<ModelsOptions, "fetch" | "readKey">): Models {
  const models = createModels({
    ...options,
    prices: config.modelPrices ?? {},
    providers: {
      anthropic: settings({ key: config.anthropicApiKey, baseUrl: config.anthropicBaseUrl }),
      openai: settings({ key: config.openaiApiKey, baseUrl: config.openaiBaseUrl }),
      google: settings({ key: config.googleApiKey, baseUrl: config.googleBaseUrl }),
      bedrock: settings({ key: bedrockKey(config), baseUrl: config.bedrockBaseUrl, region: config.awsRegion }),
      "openai-compatible": settings({ key: config.modelApiKey, baseUrl: config.modelBaseUrl }),
    },
  });
  for (const [variable, name] of [
    ["DOCENT_MODEL", config.model],
    ["DOCENT_MODEL_FALLBACK", config.modelFallback],
  ] as const) {
    const problem = name === null ? undefined : modelProblem(models, name);
    if (problem !== undefined) throw new StartError(`${variable}: ${problem}`);
  }
  return models;
}

/** Why no project can use a model of this name; undefined when one can. */
export function modelProblem(models: Models, name: string): string | undefined {
  try {
    models.check(name);
    return undefined;
  } catch (error) {
    if (error instanceof ModelNameError) return error.message;
    throw error;
  }
}

/** How the worker calls models. */
export function modelCalls(config: Config): ModelCalls {
  return {
    fallback: config.modelFallback,
    times: {
      startMs: config.modelStartSecondsMax * 1000,
      pauseMs: config.modelPauseSecondsMax * 1000,
      answerMs: config.modelAnswerSecondsMax * 1000,
    },
    traceContent: config.traceContent === "1",
  };
}

function settings(given: { [K in keyof ProviderSettings]: ProviderSettings[K] | null }): ProviderSettings {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function bedrockKey(config: Config): string | AwsCredentials | null {
  const { bedrockApiKey, awsAccessKeyId, awsSecretAccessKey, awsSessionToken } = config;
  if (bedrockApiKey !== null || awsAccessKeyId === null || awsSecretAccessKey === null) return bedrockApiKey;
  return {
    accessKeyId: awsAccessKeyId,
    secretAccessKey: awsSecretAccessKey,
    ...(awsSessionToken === null ? {} : { sessionToken: awsSessionToken }),
  };
}
