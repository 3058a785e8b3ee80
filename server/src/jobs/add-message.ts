import { sql, type Kysely, type Selectable } from "kysely";
import type { Author, JobsTable, MessageOrigin, Schema } from "../database/schema.ts";
import { createId } from "../ids.ts";
import { appendEvents } from "./record.ts";
import { toStoredJson } from "./stored-json.ts";

export interface NewMessage {
  prompt: string;
  /** Absent: not known. */
  author?: Author;
  /** Absent: the API. */
  origin?: MessageOrigin;
}

/** Stores a message, tells the event log, and wakes the workers when the transaction commits. */
export async function insertMessage(
  transaction: Kysely<Schema>,
  jobId: string,
  { prompt, author, origin }: NewMessage,
  now: Date,
): Promise<void> {
  const id = createId("msg", now);
  const from = {
    ...(author === undefined ? {} : { author: toStoredJson(author) }),
    ...(origin === undefined ? {} : { origin: toStoredJson(origin) }),
  };
  await transaction
    .insertInto("job_messages")
    .values({ id, job_id: jobId, prompt, created_at: now, ...from })
    .execute();
  const said = { id, prompt, author: author ?? null, ...(origin === undefined ? {} : { origin }) };
  await appendEvents(transaction, jobId, [{ type: "message", data: said }]);
  await sql`select pg_notify('jobs_ready', '')`.execute(transaction);
}

/**
 * Adds a message to a job whose row the transaction has locked, and makes the job active again when it rests.
 * @param job not an archived one
 * @param options `restMs`: a job that is woken waits for this long, so that what follows at once is read with it
 * @returns the job's row
 */
export async function addMessage(
  transaction: Kysely<Schema>,
  job: Selectable<JobsTable>,
  message: NewMessage,
  { now, restMs = 0 }: { now: Date; restMs?: number },
): Promise<Selectable<JobsTable>> {
  await insertMessage(transaction, job.id, message, now);
  if (job.status === "active") return job;
  const woken = await transaction
    .updateTable("jobs")
    .set({
      status: "active",
      failure_reason: null,
      pickups: 0,
      last_error: null,
      // The database's time, by which workers claim: a server whose clock is ahead must not hold a job back.
      run_at: sql`now() + make_interval(secs => ${restMs / 1000})`,
    })
    .where("id", "=", job.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await appendEvents(transaction, job.id, [{ type: "status", data: { status: "active" } }]);
  return woken;
}

/** Adds a text to a message that nobody has read yet, inside a transaction that has locked the job row. */
export async function extendMessage(
  transaction: Kysely<Schema>,
  jobId: string,
  message: { id: string; prompt: string; author: Author; origin: MessageOrigin },
  addition: string,
): Promise<void> {
  await transaction
    .updateTable("job_messages")
    .set({ prompt: `${message.prompt}\n\n${addition}` })
    .where("id", "=", message.id)
    .execute();
  // Those who follow the job see each part as it comes.
  const { id, author, origin } = message;
  await appendEvents(transaction, jobId, [{ type: "message", data: { id, prompt: addition, author, origin } }]);
  await sql`select pg_notify('jobs_ready', '')`.execute(transaction);
}
