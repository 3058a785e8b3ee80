import { sql, type Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";

const HOUR_MS = 3_600_000;

/** What became of one request under an hourly limit. */
export interface LimitAnswer {
  allowed: boolean;
  limit: number;
  /** How many more are allowed in this window. */
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
}

export interface Limits {
  /** Counts one request of the subject. Undefined when `maxPerHour` is 0, which stands for no limit. */
  take(subject: string, maxPerHour: number): Promise<LimitAnswer | undefined>;
  /** Counts one request of this hour less: it turned out to be none that is limited. */
  giveBack(subject: string): Promise<void>;
}

/**
 * Hourly limits in fixed windows that begin on the UTC hour, kept in PostgreSQL so that every server counts together.
 * A refused request writes nothing.
 */
export function createLimits({ database, clock }: { database: Kysely<Schema>; clock: () => Date }): Limits {
  let cleanedWindow = 0;

  async function deleteOldWindows(windowStart: Date): Promise<void> {
    if (cleanedWindow === windowStart.getTime()) return;
    cleanedWindow = windowStart.getTime();
    // Several servers may clean at once; skipping rows that another one has locked keeps them from waiting in a circle.
    await sql`
      delete from rate_limit_windows where (subject, window_start) in (
        select subject, window_start from rate_limit_windows where window_start < ${windowStart}
        for update skip locked
      )`.execute(database);
  }

  return {
    async take(subject, maxPerHour) {
      if (maxPerHour <= 0) return undefined;
      const now = clock().getTime();
      const windowStart = new Date(Math.floor(now / HOUR_MS) * HOUR_MS);
      const taken = await sql<{ count: number }>`
        insert into rate_limit_windows (subject, window_start, count) values (${subject}, ${windowStart}, 1)
        on conflict (subject, window_start) do update set count = rate_limit_windows.count + 1
        where rate_limit_windows.count < ${maxPerHour}
        returning count`.execute(database);
      await deleteOldWindows(windowStart);
      const count = taken.rows[0]?.count;
      return {
        allowed: count !== undefined,
        limit: maxPerHour,
        remaining: count === undefined ? 0 : Math.max(0, maxPerHour - count),
        resetSeconds: Math.max(1, Math.ceil((windowStart.getTime() + HOUR_MS - now) / 1000)),
      };
    },

    async giveBack(subject) {
      const windowStart = new Date(Math.floor(clock().getTime() / HOUR_MS) * HOUR_MS);
      await database
        .updateTable("rate_limit_windows")
        .set(({ eb }) => ({ count: eb("count", "-", 1) }))
        .where("subject", "=", subject)
        .where("window_start", "=", windowStart)
        .where("count", ">", 0)
        .execute();
    },
  };
}
