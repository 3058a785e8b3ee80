import { sql, type Kysely, type Updateable } from "kysely";
import type { Usage } from "../agent/transcript.ts";
import type { JobsTable, Schema } from "../database/schema.ts";
import type { FileChange } from "../workspace/tree.ts";
import { enqueueDelivery } from "../webhooks/out/outbox.ts";
import type { JobEvent } from "./job.ts";
import { toJob } from "./job-row.ts";
import { toStoredJson } from "./stored-json.ts";

/** A worker's hold on a job: every write names the generation, and a later claim makes it void. */
export interface Hold {
  jobId: string;
  generation: number;
}

/** The job belongs to another worker by now, or was archived: whoever gets this stops and changes nothing. */
export class LostJobError extends Error {
  constructor(jobId: string) {
    super(`Job ${jobId} is no longer this worker's.`);
    this.name = "LostJobError";
  }
}

export interface NewEvent {
  type: JobEvent["type"];
  data: object;
}

export interface StepRecord {
  events: readonly NewEvent[];
  /** The files a tool call changed, stored with its result. */
  files?: { turn: number; changes: readonly FileChange[] };
  usage?: Usage;
}

/**
 * Persists one step of a job in one statement: its events, the files it changed and what it used. It holds only while
 * the job is active under the same generation; it is progress, so the pick-up counter starts again.
 * @returns the position of the last event.
 * @throws LostJobError and writes nothing otherwise.
 */
export async function recordStep(database: Kysely<Schema>, hold: Hold, step: StepRecord): Promise<number> {
  const changes = step.files?.changes ?? [];
  const result = await sql<{ position: number }>`
    with job as (
      update jobs set
        last_position = last_position + ${step.events.length},
        pickups = 0,
        waits = 0,
        last_error = null,
        steps = steps + ${step.events.filter((event) => event.type === "answer").length},
        input_tokens = input_tokens + ${step.usage?.inputTokens ?? 0},
        cached_input_tokens = cached_input_tokens + ${step.usage?.cachedInputTokens ?? 0},
        output_tokens = output_tokens + ${step.usage?.outputTokens ?? 0},
        cost_nano_usd = cost_nano_usd + ${step.usage === undefined ? 0 : (step.usage.costNanoUsd ?? null)}::bigint
      where id = ${hold.jobId} and generation = ${hold.generation} and status = 'active'
      returning id, last_position as position
    ), events as (
      insert into job_events (job_id, position, type, data)
      select job.id, job.position - ${step.events.length} + e.index, e.type, e.data
      from job, unnest(${step.events.map((event) => event.type)}::text[], ${step.events.map((event) => toStoredJson(event.data))}::jsonb[])
        with ordinality as e (type, data, index)
    ), files as (
      insert into job_files (job_id, turn, position, path, mode, content)
      select job.id, ${step.files?.turn ?? 0}, job.position, f.path, f.mode, f.content
      from job, unnest(
        ${changes.map((change) => change.path)}::text[],
        ${changes.map((change) => change.mode)}::text[],
        ${changes.map((change) => (change.content === null ? null : Buffer.from(change.content)))}::bytea[]
      ) as f (path, mode, content)
    )
    select position, pg_notify('job_events', id) from job`.execute(database);
  const row = result.rows[0];
  if (row === undefined) throw new LostJobError(hold.jobId);
  return row.position;
}

/**
 * Changes the row of a job, which stays locked until the transaction ends.
 * @throws LostJobError when it is no longer held, or no longer active.
 */
export async function updateHeldJob(
  transaction: Kysely<Schema>,
  hold: Hold,
  values: Updateable<JobsTable>,
): Promise<void> {
  const held = await transaction
    .updateTable("jobs")
    .set(values)
    .where("id", "=", hold.jobId)
    .where("generation", "=", hold.generation)
    .where("status", "=", "active")
    .returning("id")
    .executeTakeFirst();
  if (held === undefined) throw new LostJobError(hold.jobId);
}

/**
 * Appends events inside a transaction that has locked the job row, and written its new status: a change of status also
 * goes to the project's webhook, if it has one.
 * @returns the position of the last one.
 */
export async function appendEvents(
  transaction: Kysely<Schema>,
  jobId: string,
  events: readonly NewEvent[],
): Promise<number> {
  const result = await sql<{ position: number; has_webhook: boolean }>`
    with job as (
      update jobs set last_position = last_position + ${events.length} where id = ${jobId}
      returning id, last_position as position, project_id
    ), events as (
      insert into job_events (job_id, position, type, data)
      select job.id, job.position - ${events.length} + e.index, e.type, e.data
      from job, unnest(${events.map((event) => event.type)}::text[], ${events.map((event) => toStoredJson(event.data))}::jsonb[])
        with ordinality as e (type, data, index)
    )
    select job.position, pg_notify('job_events', job.id), projects.settings ? 'webhookUrl' as has_webhook
    from job join projects on projects.id = job.project_id`.execute(transaction);
  const row = result.rows[0];
  if (row === undefined) throw new Error(`Job ${jobId} does not exist.`);
  if (row.has_webhook && events.some((event) => event.type === "status")) {
    await tellStatus(transaction, jobId, row.position);
  }
  return row.position;
}

async function tellStatus(transaction: Kysely<Schema>, jobId: string, position: number): Promise<void> {
  const job = await transaction.selectFrom("jobs").selectAll().where("id", "=", jobId).executeTakeFirstOrThrow();
  await enqueueDelivery(transaction, { projectId: job.project_id, position, job: toJob(job) });
}
