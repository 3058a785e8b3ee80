import type { Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import type { Engine } from "../store/engine.ts";
import { dropSegment, listSegments } from "./segments.ts";

/** A report may have read that a segment holds and not yet have begun to read it; and a rebuild writes for minutes before it publishes. */
const REPLACED_KEPT_MS = 60_000;
const UNKNOWN_KEPT_MS = 6 * 3_600_000;

export interface DeadSegments {
  /** These have been replaced, and were live until now. */
  replaced(segments: readonly number[]): void;
  /** Drops what has been dead for long enough. */
  drop(): Promise<void>;
}

/**
 * Drops segments that hold no more: replaced ones after a minute, and those that nobody ever published after hours, or at once when no other
 * process can be writing them.
 */
export function createDeadSegments(dependencies: {
  engine: Engine;
  database: Kysely<Schema>;
  isAlone: boolean;
  clock: () => Date;
}): DeadSegments {
  const { engine, database, isAlone, clock } = dependencies;
  const deadline = new Map<number, number>();
  let isFirst = true;

  return {
    replaced(segments) {
      for (const segment of segments) deadline.set(segment, clock().getTime() + REPLACED_KEPT_MS);
    },

    async drop() {
      const now = clock().getTime();
      const stored = new Set(await listSegments(engine));
      const rows = await database.selectFrom("analytics_counts").select("segments").execute();
      const live = new Set(rows.flatMap(({ segments }) => segments.map(Number)));
      for (const segment of deadline.keys()) if (!stored.has(segment)) deadline.delete(segment);
      for (const segment of stored) {
        if (live.has(segment)) continue;
        if (!deadline.has(segment)) deadline.set(segment, isAlone && isFirst ? now : now + UNKNOWN_KEPT_MS);
        if ((deadline.get(segment) ?? now) > now) continue;
        await dropSegment(engine, segment);
        deadline.delete(segment);
      }
      isFirst = false;
    },
  };
}
