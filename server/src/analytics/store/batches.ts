import { sql, type Kysely, type Transaction } from "kysely";
import type { Schema } from "../../database/schema.ts";
import { INSERT_TIMEOUT_MS } from "./engine.ts";

/** A batch that nobody has finished for this long has no insertion under way any more. */
const ABANDONED_AFTER_MS = 10 * INSERT_TIMEOUT_MS;

/** Held while batches get their numbers; see `readBound`. Any number that nothing else locks. */
const BEGIN_LOCK = 7_310_400_002;

/**
 * The highest number that a batch has: what begins later gets a higher one, and what began before is in the register, once this
 * transaction reads it.
 */
export async function readBound(transaction: Transaction<Schema>): Promise<number> {
  await sql`select pg_advisory_xact_lock(${BEGIN_LOCK})`.execute(transaction);
  const { rows } = await sql<{ bound: number }>`select last_value as bound from analytics_batch`.execute(transaction);
  return rows[0]?.bound ?? 0;
}

/** How many views of which project a batch brings. */
export interface BatchShare {
  projectId: string;
  views: number;
}

/** The insertion was given up for dead before it ended: its views count nowhere. */
export class BatchAbandonedError extends Error {
  override name = "BatchAbandonedError";
}

/** The register of insertions. A view counts from the moment on when the transaction that says `stored` has committed. */
export interface Batches {
  /** Registers insertions before they begin. Resolves to their numbers, in their order. */
  begin(batches: readonly (readonly BatchShare[])[]): Promise<number[]>;
  /** The rows are stored. @throws BatchAbandonedError */
  markStored(numbers: readonly number[], transaction?: Transaction<Schema>): Promise<void>;
  /** The rows will never count. */
  abandon(numbers: readonly number[]): Promise<void>;
  /** Abandons what dead processes have left behind: all but this process's own when it alone uses the database. */
  abandonLeftBehind(): Promise<void>;
  /** The abandoned ones whose rows have to be deleted from the store before they are forgotten. */
  listAbandoned(): Promise<number[]>;
  forget(numbers: readonly number[]): Promise<void>;
}

export interface BatchesDependencies {
  database: Kysely<Schema>;
  /** This process's own name. */
  owner: string;
  /** No other process inserts. */
  isAlone: boolean;
  clock: () => Date;
}

export function createBatches({ database, owner, isAlone, clock }: BatchesDependencies): Batches {
  return {
    async begin(batches) {
      const { rows } = await sql<{ batch: number }>`
        with locked as materialized (select pg_advisory_xact_lock_shared(${BEGIN_LOCK})), numbered as materialized (
          select share, nextval('analytics_batch') as batch
          from locked, unnest(${batches.map((shares) => JSON.stringify(shares))}::jsonb[]) as share
        ), inserted as (
          insert into analytics_batches (batch, project_id, state, views, owner, created_at)
          select batch, each ->> 'projectId', 'inserting', (each ->> 'views')::bigint, ${owner}, ${clock()}
          from numbered, jsonb_array_elements(share) as each
        )
        select batch from numbered order by batch`.execute(database);
      return rows.map((row) => row.batch);
    },

    async markStored(numbers, transaction) {
      const updated = await (transaction ?? database)
        .updateTable("analytics_batches")
        .set({ state: "stored" })
        .where("batch", "in", [...numbers])
        .where("state", "=", "inserting")
        .returning("batch")
        .execute();
      const stored = new Set(updated.map((row) => row.batch));
      if (numbers.some((number) => !stored.has(number))) {
        throw new BatchAbandonedError("The insertion took too long and was given up.");
      }
    },

    async abandon(numbers) {
      await database
        .updateTable("analytics_batches")
        .set({ state: "abandoned" })
        .where("batch", "in", [...numbers])
        .where("state", "=", "inserting")
        .execute();
    },

    async abandonLeftBehind() {
      const old = new Date(clock().getTime() - ABANDONED_AFTER_MS);
      await database
        .updateTable("analytics_batches")
        .set({ state: "abandoned" })
        .where("state", "=", "inserting")
        .where((where) => (isAlone ? where("owner", "!=", owner) : where("created_at", "<", old)))
        .execute();
    },

    async listAbandoned() {
      const rows = await database
        .selectFrom("analytics_batches")
        .select("batch")
        .distinct()
        .where("state", "=", "abandoned")
        .execute();
      return rows.map((row) => row.batch);
    },

    async forget(numbers) {
      await database
        .deleteFrom("analytics_batches")
        .where("batch", "in", [...numbers])
        .where("state", "=", "abandoned")
        .execute();
    },
  };
}
