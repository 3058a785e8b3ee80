import type { Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";
import { IDEMPOTENCY_HOURS } from "./idempotency.ts";
import { takeOverPullRequestStates } from "./pull-request-state.ts";

export const MAINTENANCE_MS = 60_000;

export interface Maintenance {
  start(): void;
  /** One round: pull request states that nobody told of, idempotency keys that have expired. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

/** What the jobs' tables need from time to time. Any number of processes may do it at once. */
export function createMaintenance(dependencies: {
  database: Kysely<Schema>;
  clock: () => Date;
  log: { warn(context: object, message: string): void };
}): Maintenance {
  const { database, clock, log } = dependencies;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const maintenance: Maintenance = {
    start() {
      timer = setInterval(() => void maintenance.tick(), MAINTENANCE_MS);
      void maintenance.tick();
    },
    tick() {
      running = running.then(round).catch((error: unknown) => log.warn({ err: error }, "maintenance failed"));
      return running;
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };

  async function round(): Promise<void> {
    await takeOverPullRequestStates(database, clock);
    const expiry = new Date(clock().getTime() - IDEMPOTENCY_HOURS * 3_600_000);
    await database.deleteFrom("idempotency_keys").where("created_at", "<=", expiry).execute();
  }

  return maintenance;
}
