import type { Kysely, Transaction } from "kysely";
import type { Schema } from "../../database/schema.ts";
import type { Log } from "../../log.ts";
import type { ProjectViews } from "../view.ts";
import type { Batches, BatchShare } from "./batches.ts";
import type { Engine } from "./engine.ts";
import type { RecentVisitors } from "./recent-visitors.ts";
import { viewLine } from "./view-line.ts";
import { VisitsBusyError, type Visits } from "./visits.ts";

/** Views that may wait or be under way; each takes about 300 bytes. */
const WAITING_VIEWS_MAX = 400_000;
/** Views of one insertion. */
const INSERTION_VIEWS_MAX = 100_000;
/** An insertion begins this long after the one before it at the earliest, so that the engine gets few parts to merge. */
const INTERVAL_MS = 25;
/** Insertions under way at once: while one waits for the disk, another is parsed. */
const LANES = 2;
const RETRY_AFTER_SECONDS = 2;

type Within = (transaction: Transaction<Schema>) => Promise<void>;

interface Waiting extends ProjectViews {
  within: Within | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Additions that become true together: one batch. */
interface Batch {
  additions: Waiting[];
  within: Within | undefined;
}

export interface GroupCommitOptions {
  waitingViewsMax?: number;
  /** Told the visitors of each batch before it counts. */
  recentVisitors?: RecentVisitors;
  /** Called when more counts than before; not awaited. */
  onStored?: () => void;
}

export interface GroupCommit extends Visits {
  /** Takes no more, and resolves when everything taken is stored. */
  close(): Promise<void>;
}

/** Stores together what arrives while insertions are under way. */
export function createGroupCommit(
  { engine, batches, database, log }: { engine: Engine; batches: Batches; database: Kysely<Schema>; log: Log },
  { waitingViewsMax = WAITING_VIEWS_MAX, recentVisitors, onStored = () => {} }: GroupCommitOptions = {},
): GroupCommit {
  let waiting: Waiting[] = [];
  let viewsHeld = 0;
  let isClosed = false;
  let lastBegan = -Infinity;
  const lanes = new Set<Promise<void>>();

  function start(): void {
    if (lanes.size >= LANES) return;
    const lane: Promise<void> = run().finally(() => {
      lanes.delete(lane);
      // What came after the last look.
      if (waiting.length > 0) start();
    });
    lanes.add(lane);
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const pause = lastBegan + INTERVAL_MS - performance.now();
      if (pause > 0 && !isClosed) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        // Another lane may have begun meanwhile.
        continue;
      }
      lastBegan = performance.now();
      await store(takeSome());
    }
  }

  function takeSome(): Waiting[] {
    let views = 0;
    const end = waiting.findIndex((each) => (views += each.views.length) > INSERTION_VIEWS_MAX);
    const taken = waiting.slice(0, end === -1 ? waiting.length : Math.max(end, 1));
    waiting = waiting.slice(taken.length);
    return taken;
  }

  /** Never throws: each addition learns by itself what became of it. */
  async function store(additions: Waiting[]): Promise<void> {
    const groups = inBatches(additions);
    let numbers: number[] = [];
    try {
      numbers = await batches.begin(groups.map(shares));
      const lines = groups.map(({ additions: members }, place) => batchLines(members, numbers[place] ?? 0));
      await engine.insert("views", lines.join(""));
    } catch (error) {
      // Should this fail as well, they are abandoned with everything else that a dead process leaves.
      if (numbers.length > 0) await batches.abandon(numbers).catch(() => {});
      log.error({ err: error, cause: error instanceof Error ? error.cause : undefined }, "views could not be stored");
      const failure = new VisitsBusyError(RETRY_AFTER_SECONDS, "The views could not be stored.");
      for (const addition of additions) settle(addition, failure);
      return;
    }
    await Promise.all(groups.map((group, place) => finish(group, numbers[place] ?? 0)));
    onStored();
  }

  async function finish({ additions, within }: Batch, number: number): Promise<void> {
    let failure: unknown;
    recentVisitors?.remember(number, additions);
    try {
      if (within === undefined) await batches.markStored([number]);
      else {
        await database.transaction().execute(async (transaction) => {
          await batches.markStored([number], transaction);
          await within(transaction);
        });
      }
    } catch (error) {
      failure = error ?? new Error("The views were not stored.");
      await batches.abandon([number]).catch(() => {});
    }
    for (const addition of additions) settle(addition, failure);
  }

  function settle(addition: Waiting, failure: unknown): void {
    viewsHeld -= addition.views.length;
    if (failure === undefined) addition.resolve();
    else addition.reject(failure);
  }

  return {
    async add({ projectId, views }, within) {
      if (isClosed || viewsHeld + views.length > Math.max(waitingViewsMax, views.length)) {
        throw new VisitsBusyError(RETRY_AFTER_SECONDS);
      }
      if (views.length === 0) {
        if (within !== undefined) await database.transaction().execute(within);
        return;
      }
      viewsHeld += views.length;
      await new Promise<void>((resolve, reject) => {
        waiting.push({ projectId, views, within, resolve, reject });
        start();
      });
    },

    async close() {
      isClosed = true;
      while (lanes.size > 0) await Promise.all(lanes);
    },
  };
}

/** Those that have something to become true with them have a batch of their own, since it may fail. */
function inBatches(additions: readonly Waiting[]): Batch[] {
  const plain = additions.filter((addition) => addition.within === undefined);
  const own = additions.filter((addition) => addition.within !== undefined);
  return [
    ...(plain.length === 0 ? [] : [{ additions: plain, within: undefined }]),
    ...own.map((addition) => ({ additions: [addition], within: addition.within })),
  ];
}

function shares({ additions }: Batch): BatchShare[] {
  const views = new Map<string, number>();
  for (const addition of additions) {
    views.set(addition.projectId, (views.get(addition.projectId) ?? 0) + addition.views.length);
  }
  return [...views].map(([projectId, count]) => ({ projectId, views: count }));
}

function batchLines(additions: readonly Waiting[], batch: number): string {
  let lines = "";
  for (const { projectId, views } of additions) for (const view of views) lines += viewLine(projectId, view, batch);
  return lines;
}
