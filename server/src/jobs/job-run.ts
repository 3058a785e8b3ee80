import type { Kysely } from "kysely";
import type { Models } from "../agent/models/models.ts";
import type { CodeHost } from "../codehost/codehost.ts";
import type { Schema } from "../database/schema.ts";
import type { Mirror, Mirrors } from "../workspace/mirror.ts";
import type { JobState } from "./job-state.ts";
import type { JobLimits } from "./limits.ts";
import type { Hold } from "./record.ts";

export interface JobRunDependencies {
  database: Kysely<Schema>;
  codeHost: CodeHost;
  mirrors: Mirrors;
  models: Models;
  limits: JobLimits;
  clock: () => Date;
}

/** One worker's run of one job, from its claim on. */
export interface JobRun {
  dependencies: JobRunDependencies;
  hold: Hold;
  state: JobState;
  mirror: Mirror;
  signal: AbortSignal;
}
