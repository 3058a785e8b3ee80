import type { Kysely, Selectable } from "kysely";
import type { JobsTable, Schema } from "../database/schema.ts";
import { ParkedError } from "./ask-model.ts";
import { claimJob, countWaits, PICKUPS_MAX, releaseJob, renewLeases } from "./claim.ts";
import { describeFault } from "./faults.ts";
import { LostJobError, type Hold } from "./record.ts";
import type { JobSignals } from "./signals.ts";
import { endTurn } from "./turn-end.ts";

export const HEARTBEAT_MS = 3_000;
/** How often a worker looks for jobs nobody told it of: freed by a dead worker's lease, or resting until now. */
export const POLL_MS = 1_000;

export interface WorkerDependencies {
  database: Kysely<Schema>;
  signals: Pick<JobSignals, "onJobsReady" | "onJobArchived">;
  /** Works on a claimed job until it rests: its turns are done, it failed, or the signal aborted. */
  runJob(job: Selectable<JobsTable>, signal: AbortSignal): Promise<void>;
  log: {
    info(context: object, message: string): void;
    warn(context: object, message: string): void;
    error(context: object, message: string): void;
  };
}

export interface WorkerOptions {
  /** This worker's name, unique among all. */
  name: string;
  concurrency: number;
  perProjectMax: number;
}

export interface Worker {
  start(): void;
  /** Claims what it has room for. */
  tick(): Promise<void>;
  /** Renews the leases and drops the jobs that are no longer its own. */
  heartbeat(): Promise<void>;
  /** Stops claiming, hands the running jobs back at once, and returns when none runs. */
  stop(): Promise<void>;
  running(): number;
}

interface Run {
  hold: Hold;
  controller: AbortController;
  done: Promise<void>;
}

/** Runs up to `concurrency` jobs at a time. Holds no state that matters: a worker may die at any moment. */
export function createWorker(dependencies: WorkerDependencies, options: WorkerOptions): Worker {
  const { database, signals, runJob, log } = dependencies;
  const runs = new Set<Run>();
  const releases: (() => void)[] = [];
  let stopping = false;
  let ticking: Promise<void> | undefined;
  let tickAgain = false;

  async function claimWhileThereIsRoom(): Promise<void> {
    while (!stopping && runs.size < options.concurrency) {
      const job = await claimJob(database, { worker: options.name, perProjectMax: options.perProjectMax });
      if (job === undefined) return;
      take(job);
    }
  }

  function take(job: Selectable<JobsTable>): void {
    // A job that comes back while its former run still winds down here: that run has lost it.
    dropRunsOf(job.id);
    const run: Run = {
      hold: { jobId: job.id, generation: job.generation },
      controller: new AbortController(),
      done: Promise.resolve(),
    };
    if (stopping) run.controller.abort(new Error("The worker is stopping."));
    run.done = work(job, run.hold, run.controller.signal)
      .catch((error: unknown) => log.error({ err: error, jobId: job.id }, "job could not be handed back"))
      .finally(() => {
        runs.delete(run);
        void worker.tick();
      });
    runs.add(run);
  }

  function dropRunsOf(jobId: string): void {
    for (const run of runs) if (run.hold.jobId === jobId) run.controller.abort(new LostJobError(jobId));
  }

  async function work(job: Selectable<JobsTable>, hold: Hold, signal: AbortSignal): Promise<void> {
    try {
      if (job.pickups > PICKUPS_MAX && job.status === "active") {
        const cause = job.last_error ?? "the worker stopped each time";
        await failJob(hold, `The job was picked up ${PICKUPS_MAX} times without getting a step further: ${cause}`);
        return;
      }
      const started = performance.now();
      await runJob(job, signal);
      log.info({ jobId: job.id, ms: Math.round(performance.now() - started) }, "a job rests");
    } catch (error) {
      if (error instanceof LostJobError || signal.reason instanceof LostJobError) return;
      if (signal.aborted) return releaseJob(database, hold);
      if (error instanceof ParkedError) {
        log.info({ jobId: job.id, reason: error.message, afterMs: error.afterMs }, "a job waits for its model");
        await releaseJob(database, hold, { error: error.message, afterMs: error.afterMs, parked: true });
        return;
      }
      const waits = await countWaits(database, hold);
      const { message, retryAfterMs, isOutage } = describeFault(error, { pickups: job.pickups, waits });
      log.warn({ err: error, jobId: job.id, pickups: job.pickups, waits }, "a step of a job failed");
      if (retryAfterMs === null) await failJob(hold, message);
      else await releaseJob(database, hold, { error: message, afterMs: retryAfterMs, parked: isOutage });
    }
  }

  async function failJob(hold: Hold, reason: string): Promise<void> {
    try {
      await endTurn(database, hold, { failed: reason });
    } catch (error) {
      if (!(error instanceof LostJobError)) throw error;
    }
  }

  const worker: Worker = {
    start() {
      const tick = (): void => void worker.tick();
      const poll = setInterval(tick, POLL_MS);
      const beat = setInterval(() => void worker.heartbeat(), HEARTBEAT_MS);
      releases.push(
        () => clearInterval(poll),
        () => clearInterval(beat),
        signals.onJobsReady(tick),
        signals.onJobArchived(dropRunsOf),
      );
      tick();
    },

    async tick() {
      tickAgain = true;
      ticking ??= (async () => {
        while (tickAgain && !stopping) {
          tickAgain = false;
          try {
            await claimWhileThereIsRoom();
          } catch (error) {
            log.warn({ err: error }, "could not look for jobs");
          }
        }
      })().finally(() => (ticking = undefined));
      return ticking;
    },

    async heartbeat() {
      const held = [...runs];
      if (held.length === 0) return;
      try {
        const kept = await renewLeases(
          database,
          options.name,
          held.map((run) => run.hold),
        );
        for (const { hold, controller } of held) {
          if (!kept.has(hold.jobId)) controller.abort(new LostJobError(hold.jobId));
        }
      } catch (error) {
        log.warn({ err: error }, "could not renew leases");
      }
    },

    async stop() {
      stopping = true;
      for (const release of releases) release();
      await ticking;
      for (const { controller } of runs) controller.abort(new Error("The worker is stopping."));
      await Promise.allSettled([...runs].map((run) => run.done));
    },

    running: () => runs.size,
  };
  return worker;
}
