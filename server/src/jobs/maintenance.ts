import type { Kysely } from "kysely";
import type { CodeHosts } from "../codehost/codehosts.ts";
import type { Schema } from "../database/schema.ts";
import { archiveJobsOfDeletedProjects } from "./archive-job.ts";
import { IDEMPOTENCY_HOURS } from "./idempotency.ts";
import type { JobSignals } from "./signals.ts";
import { pollPullRequests } from "./poll-pull-requests.ts";
import { takeOverPullRequestStates } from "./pull-request-state.ts";

export const MAINTENANCE_MS = 60_000;

export interface Maintenance {
  start(): void;
  /** One round: the states of pull requests that ended, what is left of deleted projects, idempotency keys that have expired. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

/** What the jobs' tables need from time to time. Any number of processes may do it at once. */
export function createMaintenance(dependencies: {
  database: Kysely<Schema>;
  codeHosts: Pick<CodeHosts, "of">;
  signals: Pick<JobSignals, "onPullRequestEnded">;
  clock: () => Date;
  log: { warn(context: object, message: string): void };
}): Maintenance {
  const { database, codeHosts, signals, clock, log } = dependencies;
  let timer: NodeJS.Timeout | undefined;
  let stopListening = (): void => {};
  let running: Promise<void> = Promise.resolve();

  const maintenance: Maintenance = {
    start() {
      const tick = (): void => void maintenance.tick();
      timer = setInterval(tick, MAINTENANCE_MS);
      stopListening = signals.onPullRequestEnded(tick);
    },
    tick() {
      running = running.then(round).catch((error: unknown) => log.warn({ err: error }, "maintenance failed"));
      return running;
    },
    async stop() {
      clearInterval(timer);
      stopListening();
      await running;
    },
  };

  async function round(): Promise<void> {
    await takeOverPullRequestStates(database, clock);
    const expiry = new Date(clock().getTime() - IDEMPOTENCY_HOURS * 3_600_000);
    await database.deleteFrom("idempotency_keys").where("created_at", "<=", expiry).execute();
    await archiveJobsOfDeletedProjects(database, clock());
    await pollPullRequests({ database, codeHosts, clock, log });
  }

  return maintenance;
}
