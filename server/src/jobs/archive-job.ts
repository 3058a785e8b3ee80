import { sql, type Kysely, type Selectable } from "kysely";
import type { JobsTable, Schema } from "../database/schema.ts";
import { appendEvents } from "./record.ts";

/** Archives a job whose row the transaction has locked; whoever works on it stops. */
export async function archiveJob(
  transaction: Kysely<Schema>,
  jobId: string,
  now: Date,
): Promise<Selectable<JobsTable>> {
  const archived = await transaction
    .updateTable("jobs")
    .set({ status: "archived", archived_at: now, failure_reason: null })
    .where("id", "=", jobId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await appendEvents(transaction, jobId, [{ type: "status", data: { status: "archived" } }]);
  await sql`select pg_notify('job_archived', ${jobId})`.execute(transaction);
  return archived;
}

const ROUND_MAX = 100;

/** Nobody works on them any more; some of them in each round. */
export async function archiveJobsOfDeletedProjects(database: Kysely<Schema>, now: Date): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const left = await transaction
      .selectFrom("jobs")
      .innerJoin("projects", "projects.id", "jobs.project_id")
      .select("jobs.id")
      .where("jobs.status", "=", "active")
      .where("projects.deleted_at", "is not", null)
      .orderBy("jobs.id")
      .limit(ROUND_MAX)
      .forUpdate("jobs")
      .skipLocked()
      .execute();
    for (const { id } of left) await archiveJob(transaction, id, now);
  });
}
