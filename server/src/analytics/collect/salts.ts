import { randomBytes } from "node:crypto";
import { sql, type Kysely } from "kysely";
import type { AnalyticsSettings, Schema } from "../../database/schema.ts";
import { createRecentMap } from "../recent-map.ts";
import { createVisitorHash, type VisitorHash } from "./visitor.ts";

const DAY_MS = 86_400_000;
/** For how long a salt is kept when its period is over, for logs and middleware that send late. */
const KEPT_AFTER_MS = 7 * DAY_MS;
const SALT_BYTES = 32;
const SALTS_REMEMBERED = 10_000;

export type SaltRotation = NonNullable<AnalyticsSettings["saltRotation"]>;

/**
 * The salts of the visitors' ids, one for each project and period. They are made when they are first needed, and those of
 * periods long over are deleted: from then on nobody, not even who has the database, can compute the ids of that time again.
 * Views that arrive for such a period later get a new salt, and their visitors count as new.
 */
export interface Salts {
  /** What makes the ids of the visitors of a period, as `saltPeriod` names it. */
  visitorHash(projectId: string, period: string): Promise<VisitorHash>;
  /** What makes the ids of every period whose salt is still there: one visitor has an id in each. */
  storedVisitorHashes(projectId: string): Promise<VisitorHash[]>;
  /** Deletes the salts whose time is over, and those of deleted projects. Once a day is enough. */
  deleteExpired(): Promise<void>;
}

/** The name of the period that a moment lies in: `always`, a month (`2026-01`) or a day (`2026-01-31`), in UTC. */
export function saltPeriod(rotation: SaltRotation, time: number): string {
  if (rotation === "never") return "always";
  return new Date(time).toISOString().slice(0, rotation === "monthly" ? 7 : 10);
}

export function createSalts({ database, clock }: { database: Kysely<Schema>; clock: () => Date }): Salts {
  interface Remembered {
    visitorHash: Promise<VisitorHash>;
    /** Another process may have replaced the salt from this time on. */
    expiresAt: number;
  }
  const remembered = createRecentMap<Remembered>(SALTS_REMEMBERED);

  /** The salt as it is, or a new one where there is none or its time is over; the same for every process that asks. */
  async function load(projectId: string, period: string, now: Date): Promise<{ salt: Buffer; createdAt: Date }> {
    const overSince = expiresAt(period, 0) <= now.getTime() ? new Date(now.getTime() - KEPT_AFTER_MS) : new Date(0);
    const isOver = sql<boolean>`analytics_salts.created_at <= ${overSince}`;
    const row = await database
      .insertInto("analytics_salts")
      .values({ project_id: projectId, period, salt: randomBytes(SALT_BYTES), created_at: now })
      .onConflict((conflict) =>
        conflict.columns(["project_id", "period"]).doUpdateSet({
          salt: sql`case when ${isOver} then excluded.salt else analytics_salts.salt end`,
          created_at: sql`case when ${isOver} then excluded.created_at else analytics_salts.created_at end`,
        }),
      )
      .returning(["salt", "created_at"])
      .executeTakeFirstOrThrow();
    return { salt: row.salt, createdAt: row.created_at };
  }

  return {
    visitorHash(projectId, period) {
      const now = clock();
      const key = `${projectId} ${period}`;
      const known = remembered.get(key);
      if (known !== undefined && now.getTime() < known.expiresAt) return known.visitorHash;
      const loading = load(projectId, period, now);
      const entry: Remembered = {
        visitorHash: loading.then(({ salt }) => createVisitorHash(projectId, salt)),
        expiresAt: now.getTime() + KEPT_AFTER_MS,
      };
      remembered.set(key, entry);
      loading.then(
        ({ createdAt }) => (entry.expiresAt = expiresAt(period, createdAt.getTime())),
        // The next to ask tries again.
        () => (entry.expiresAt = 0),
      );
      return entry.visitorHash;
    },

    async storedVisitorHashes(projectId) {
      const rows = await database
        .selectFrom("analytics_salts")
        .select("salt")
        .where("project_id", "=", projectId)
        .orderBy("period")
        .execute();
      return rows.map(({ salt }) => createVisitorHash(projectId, salt));
    },

    async deleteExpired() {
      const over = new Date(clock().getTime() - KEPT_AFTER_MS);
      const day = over.toISOString().slice(0, 10);
      await database
        .deleteFrom("analytics_salts")
        .where("created_at", "<=", over)
        .where("period", "!=", "always")
        .where(sql<boolean>`period < left(${day}, length(period))`)
        .execute();
      await database
        .deleteFrom("analytics_salts")
        .where("project_id", "in", (query) =>
          query.selectFrom("projects").select("id").where("deleted_at", "is not", null),
        )
        .execute();
    },
  };
}

/** When a salt's time is over: some days after its period, and after it was made. */
function expiresAt(period: string, createdAt: number): number {
  if (period === "always") return Infinity;
  const [year = "", month = "", day] = period.split("-");
  const end =
    day === undefined
      ? Date.UTC(Number(year), Number(month))
      : Date.UTC(Number(year), Number(month) - 1, Number(day) + 1);
  return Math.max(end, createdAt) + KEPT_AFTER_MS;
}
