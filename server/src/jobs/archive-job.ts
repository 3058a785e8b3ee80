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
