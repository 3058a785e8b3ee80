import { sql, type Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import type { Log } from "../../log.ts";
import { policyOf, writePolicy } from "../count/policy.ts";
import type { Engine } from "./engine.ts";

/**
 * Lets control data that was restored from an older backup catch up with the store: the numbers of batches and segments go on from where
 * the store is, and every project is counted anew from its views. Views that the older data takes for unfinished are lost.
 * @returns whether it was older
 */
export async function catchUp(engine: Engine, database: Kysely<Schema>, log: Log): Promise<boolean> {
  const [stored] = await engine.query<{ batch: string; segment: string }>(`
    select (select max(batch) from {database:Identifier}.views) as batch,
      (select max(segment) from {database:Identifier}.counts) as segment`);
  const batch = Number(stored?.batch ?? 0);
  const segment = Number(stored?.segment ?? 0);
  const { rows } = await sql<{ batch: number; segment: number }>`
    select (select case when is_called then last_value else 0 end from analytics_batch) as batch,
      (select case when is_called then last_value else 0 end from analytics_segment) as segment`.execute(database);
  const known = rows[0] ?? { batch: 0, segment: 0 };
  if (batch <= known.batch && segment <= known.segment) return false;
  log.warn(
    { stored: { batch, segment }, known },
    "PostgreSQL is older than the visits, as after a restored backup: the visits of every project are counted anew",
  );
  await database.transaction().execute(async (transaction) => {
    await sql`select setval('analytics_batch', greatest(${batch}, (select last_value from analytics_batch)))`.execute(
      transaction,
    );
    await sql`select setval('analytics_segment', greatest(${segment}, (select last_value from analytics_segment)))`.execute(
      transaction,
    );
    const projects = await transaction
      .selectFrom("projects")
      .select(["id", "settings"])
      .where("deleted_at", "is", null)
      .execute();
    for (const { id, settings } of projects) {
      await sql`
        insert into analytics_counts as counts (project_id, revision, mark, policy, is_stale)
        values (${id}, 1, 0, ${writePolicy(policyOf(settings.analytics ?? {}))}, true)
        on conflict (project_id) do update set is_stale = true, revision = counts.revision + 1`.execute(transaction);
    }
  });
  return true;
}
