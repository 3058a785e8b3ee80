import { sql, type Kysely } from "kysely";
import type { JobStatus, Schema } from "../../database/schema.ts";
import { createId } from "../../ids.ts";

/** Wakes the deliverers of all processes. */
export const DELIVERIES_CHANNEL = "webhook_deliveries";

/** Due whatever the clocks of database and processes make of the time, and before anything that was tried already. */
export const AT_ONCE = new Date(0);

export interface StatusChange {
  projectId: string;
  /** Of the job's event that says it; 0 for its creation. */
  position: number;
  /** As the API answers it. */
  job: { id: string; status: JobStatus };
}

/**
 * Puts a change of a job's status on its way to the project's URL, in the transaction that makes the change: neither
 * happens without the other.
 */
export async function enqueueDelivery(
  transaction: Kysely<Schema>,
  { projectId, position, job }: StatusChange,
): Promise<void> {
  const type = `job.${job.status}`;
  await sql`
    with delivery as (
      insert into webhook_deliveries (id, project_id, job_id, position, type, next_attempt_at, payload)
      values (${createId("whd", new Date())}, ${projectId}, ${job.id}, ${position}, ${type}, ${AT_ONCE}, jsonb_build_object(
        'type', ${type}::text,
        'timestamp', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'data', ${JSON.stringify(job)}::jsonb
      ))
    )
    select pg_notify(${DELIVERIES_CHANNEL}, '')`.execute(transaction);
}
