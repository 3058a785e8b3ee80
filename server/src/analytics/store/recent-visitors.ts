import type { ProjectViews } from "../view.ts";

/** The visitors of batches that this process has stored a moment ago, so that reports need not look for them. */
export interface RecentVisitors {
  /** Remembers a small batch; a large one is not worth its memory. */
  remember(batch: number, additions: readonly ProjectViews[]): void;
  /** The visitors of all these batches, each once, or undefined when some batch is not remembered. */
  find(batches: readonly number[]): bigint[] | undefined;
}

const BATCH_VISITORS_MAX = 2_000;
/** About 10 MB. */
const VISITORS_MAX = 200_000;

export function createRecentVisitors(): RecentVisitors {
  const remembered = new Map<number, readonly bigint[]>();
  let held = 0;

  return {
    remember(batch, additions) {
      if (additions.reduce((sum, { views }) => sum + views.length, 0) > BATCH_VISITORS_MAX) return;
      const visitors = additions.flatMap(({ views }) => views.map(({ visitor }) => visitor));
      remembered.set(batch, visitors);
      held += visitors.length;
      for (const [oldest, its] of remembered) {
        if (held <= VISITORS_MAX) return;
        remembered.delete(oldest);
        held -= its.length;
      }
    },

    find(batches) {
      const found = batches.map((batch) => remembered.get(batch));
      if (found.includes(undefined)) return undefined;
      return [...new Set(found.flatMap((visitors) => visitors ?? []))];
    },
  };
}
