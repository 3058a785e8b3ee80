import type { JobsTable, ProjectSettings } from "../database/schema.ts";
import type { PublishRules } from "../workspace/workspace.ts";
import type { Selectable } from "kysely";
import type { Turn } from "./turn-start.ts";

/** What one job may use, follow-ups included, and how long one turn may take. */
export interface JobLimits {
  stepsMax: number;
  tokensMax: number;
  turnMinutesMax: number;
}

/** What one pull request may change. */
const FILES_MAX = 2_000;
const BYTES_MAX = 20 * 1024 * 1024;

/** @returns why the job may not go on, or null. */
export function exceededLimit(
  limits: JobLimits,
  job: Pick<Selectable<JobsTable>, "steps" | "input_tokens" | "output_tokens">,
  turn: Turn,
  now: Date,
): string | null {
  const minutes = (now.getTime() - turn.startedAt.getTime()) / 60_000;
  if (minutes > limits.turnMinutesMax)
    return `The job took longer than ${limits.turnMinutesMax} minutes (DOCENT_JOB_MINUTES_MAX).`;
  if (job.steps >= limits.stepsMax)
    return `The job used all of its ${limits.stepsMax} model steps (DOCENT_JOB_STEPS_MAX).`;
  const tokens = job.input_tokens + job.output_tokens;
  if (tokens >= limits.tokensMax)
    return `The job used ${tokens} of at most ${limits.tokensMax} tokens (DOCENT_JOB_TOKENS_MAX).`;
  return null;
}

export function publishRules(settings: ProjectSettings): PublishRules {
  return {
    ...(settings.docsPath === undefined ? {} : { docsPath: settings.docsPath }),
    allow: settings.allow ?? [],
    filesMax: FILES_MAX,
    bytesMax: BYTES_MAX,
  };
}
