import type { Kysely } from "kysely";
import type { Models } from "../agent/models/models.ts";
import type { AnswerTimes } from "../agent/watchdog.ts";
import type { CodeHost } from "../codehost/codehost.ts";
import type { CodeHosts } from "../codehost/codehosts.ts";
import type { Schema } from "../database/schema.ts";
import type { ProjectCredentials } from "../projects/credentials.ts";
import type { Mirror, Mirrors } from "../workspace/mirror.ts";
import type { ReachPublicRepository } from "./context-repositories.ts";
import type { JobState } from "./job-state.ts";
import type { JobLimits } from "./limits.ts";
import type { Hold } from "./record.ts";

/** How models are called, whatever the job. */
export interface ModelCalls {
  /** The model that stands in for one that refuses; a project may name another. */
  fallback: string | null;
  times: AnswerTimes;
  /** Puts prompts, documents and answers into traces. */
  traceContent: boolean;
}

export interface JobRunDependencies {
  database: Kysely<Schema>;
  codeHosts: Pick<CodeHosts, "of">;
  reachPublicRepository: ReachPublicRepository;
  credentials: Pick<ProjectCredentials, "read">;
  mirrors: Mirrors;
  models: Models;
  modelCalls: ModelCalls;
  limits: JobLimits;
  clock: () => Date;
}

/** One worker's run of one job, from its claim on. */
export interface JobRun {
  dependencies: JobRunDependencies & { codeHost: CodeHost };
  hold: Hold;
  state: JobState;
  mirror: Mirror;
  signal: AbortSignal;
}
