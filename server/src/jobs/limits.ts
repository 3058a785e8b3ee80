import type { ProjectSettings } from "../database/schema.ts";
import type { PublishRules } from "../workspace/rules.ts";

/** What one job may use, follow-ups included, and how long one turn may take. */
export interface JobLimits {
  stepsMax: number;
  tokensMax: number;
  turnMinutesMax: number;
  /** In US dollars. */
  costMaxUsd?: number;
}

/** A project can set a lower limit than the server's. */
export function jobLimits(server: JobLimits, { costMaxUsd }: ProjectSettings): JobLimits {
  if (costMaxUsd === undefined) return server;
  return { ...server, costMaxUsd: Math.min(costMaxUsd, server.costMaxUsd ?? costMaxUsd) };
}

/** What one pull request may change. */
const FILES_MAX = 10_000;
const BYTES_MAX = 100 * 1024 * 1024;

export function publishRules(settings: ProjectSettings): PublishRules {
  return {
    ...(settings.docsPath === undefined ? {} : { docsPath: settings.docsPath }),
    allow: settings.allow ?? [],
    filesMax: FILES_MAX,
    bytesMax: BYTES_MAX,
  };
}
