import type { Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";
import type { Log } from "../log.ts";
import { createSalts, type Salts } from "./collect/salts.ts";
import { createDeadSegments } from "./count/dead-segments.ts";
import { createFolder } from "./count/folder.ts";
import { markStale, StateChangedError } from "./count/state.ts";
import type { Reports } from "./report/reports.ts";
import { createReports } from "./report/sql-reports.ts";
import type { TailOptions } from "./report/tail.ts";
import { createRounds } from "./rounds.ts";
import { createBatches } from "./store/batches.ts";
import type { Engine } from "./store/engine.ts";
import { catchUp } from "./store/catch-up.ts";
import { createGroupCommit } from "./store/group-commit.ts";
import { requireSameStore } from "./store/identity.ts";
import { createSchema, storedTable } from "./store/schema.ts";
import { createRecentVisitors } from "./store/recent-visitors.ts";
import { applyRetention, deleteAbandoned, deleteForgottenProjects } from "./store/upkeep.ts";
import type { Visits } from "./store/visits.ts";

/** A fold takes about a tenth of a second: more often costs more than shorter tails save. */
const FOLD_PAUSE_MS = 500;
/** A fold looks up all that its visitors ever read: with many arrivals, fewer and larger folds do with much less. */
const FOLD_PAUSE_PER_ROUND = 4;
/** For what other processes store, and for changed settings. */
const FOLD_EVERY_MS = 5_000;
const UPKEEP_EVERY_MS = 60_000;
const ATTEMPTS = 5;

export interface Analytics {
  visits: Visits;
  salts: Pick<Salts, "visitorHash" | "storedVisitorHashes">;
  reports: Reports;
  /** Begins to fold and to tidy up. Of several processes one should. */
  startFolding(): void;
  /** Resolves when nothing is under way any more. */
  stopFolding(): Promise<void>;
  /** Folds everything that is stored, now. */
  fold(): Promise<void>;
  /** Tidies up, now: broken insertions, days past their retention, deleted projects, segments that hold no more. */
  tidy(): Promise<void>;
  /** Makes a project's counts anew from its views. @param onProgress of `done` of `total` steps */
  rebuild(projectId: string, onProgress?: (done: number, total: number) => void): Promise<void>;
  /**
   * Deletes all views of some visitors and counts anew.
   * @param visitors as `View.visitor`
   */
  erase(projectId: string, visitors: readonly bigint[]): Promise<void>;
  /** Stores what it has taken, breaks off what counts anew, and ends. The engine stays open. */
  close(): Promise<void>;
}

export interface AnalyticsDependencies {
  engine: Engine;
  database: Kysely<Schema>;
  /** A name that this process alone has. */
  owner: string;
  /** No other process uses this store. */
  isAlone: boolean;
  clock: () => Date;
  log: Log;
}

export interface AnalyticsOptions {
  /** Views that may wait to be stored before more are refused. */
  waitingViewsMax?: number;
  tail?: TailOptions;
}

/** Stores views, counts them, and reports. Makes the store's tables where they are missing. */
export async function createAnalytics(
  dependencies: AnalyticsDependencies,
  options: AnalyticsOptions = {},
): Promise<Analytics> {
  const { engine, database, log } = dependencies;
  await createSchema(engine);
  await requireSameStore(engine, database);
  await catchUp(engine, database, log);
  const salts = createSalts(dependencies);
  const batches = createBatches(dependencies);
  const deadSegments = createDeadSegments(dependencies);
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const folder = createFolder({
    engine,
    database,
    log,
    signal: stopping.signal,
    onReplaced: deadSegments.replaced,
  });
  const upkeep = { ...dependencies, batches };
  // What a dead process has left is out of the way before the first view comes, and told from what this one is making.
  await deleteAbandoned(upkeep);
  await deadSegments.drop();

  async function tidy(): Promise<void> {
    await deleteAbandoned(upkeep);
    await deleteForgottenProjects(upkeep);
    for (const projectId of await applyRetention(upkeep)) {
      await undisturbed(projectId, () => folder.mergeWhole(projectId));
    }
    await deadSegments.drop();
    await salts.deleteExpired();
  }

  /** For what takes longer than folds leave between them; begins again when something was published under it all the same. */
  async function undisturbed(projectId: string, task: () => Promise<void>): Promise<void> {
    await folder.hold(projectId, async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await task();
        } catch (error) {
          if (!(error instanceof StateChangedError) || attempt === ATTEMPTS) throw error;
        }
      }
    });
  }

  async function rebuild(projectId: string, onProgress?: (done: number, total: number) => void): Promise<void> {
    await undisturbed(projectId, () => folder.rebuild(projectId, onProgress));
  }

  async function erase(projectId: string, visitors: readonly bigint[]): Promise<void> {
    await folder.hold(projectId, async () => {
      await markStale(database, projectId);
      if (visitors.length > 0) {
        await engine.command(
          `alter table ${storedTable(engine, "views")} delete where project = {project:String} and visitor in {visitors:Array(UInt64)}`,
          { project: projectId, visitors },
        );
      }
      await rebuild(projectId);
    });
  }

  /** What `close` waits for. */
  async function watched(task: Promise<void>): Promise<void> {
    running.add(task);
    try {
      await task;
    } finally {
      running.delete(task);
    }
  }

  const warn = (error: unknown): void => log.error({ err: error }, "the upkeep of the visits failed");
  const folding = createRounds(
    folder.tick,
    { pauseMs: FOLD_PAUSE_MS, pausePerRound: FOLD_PAUSE_PER_ROUND, everyMs: FOLD_EVERY_MS },
    warn,
  );
  const tidying = createRounds(tidy, { pauseMs: UPKEEP_EVERY_MS, everyMs: UPKEEP_EVERY_MS }, warn);
  const recentVisitors = createRecentVisitors();
  const visits = createGroupCommit(
    { engine, batches, database, log },
    { ...options, recentVisitors, onStored: folding.wake },
  );

  async function stopFolding(): Promise<void> {
    await folding.stop();
    await tidying.stop();
  }

  return {
    visits,
    salts,
    reports: createReports({ engine, database, recentVisitors }, options.tail),
    startFolding() {
      folding.start();
      tidying.start();
    },
    fold: folding.tick,
    tidy,
    rebuild: (projectId, onProgress) => watched(rebuild(projectId, onProgress)),
    erase: (projectId, visitors) => watched(erase(projectId, visitors)),
    stopFolding,
    async close() {
      await visits.close();
      stopping.abort(new Error("The server is stopping; the counts are as they were."));
      await stopFolding();
      await Promise.allSettled(running);
    },
  };
}
