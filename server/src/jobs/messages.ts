import type { Kysely } from "kysely";
import type { TranscriptEntry } from "../agent/transcript.ts";
import type { Schema } from "../database/schema.ts";
import { appendEvents, LostJobError, type Hold } from "./record.ts";

export type Prompt = Extract<TranscriptEntry, { type: "prompt" }>;

/** Whether a message waits to be taken into the transcript. */
export async function hasUnread(database: Kysely<Schema>, jobId: string): Promise<boolean> {
  const unread = await database
    .selectFrom("job_messages")
    .select("id")
    .where("job_id", "=", jobId)
    .where("read_at_position", "is", null)
    .limit(1)
    .executeTakeFirst();
  return unread !== undefined;
}

/**
 * Takes the messages that arrived during a turn into the transcript.
 * @returns them, oldest first; empty when there is none.
 */
export async function readMessages(database: Kysely<Schema>, hold: Hold): Promise<Prompt[]> {
  if (!(await hasUnread(database, hold.jobId))) return [];
  return database.transaction().execute(async (transaction) => {
    const held = await transaction
      .selectFrom("jobs")
      .select("id")
      .where("id", "=", hold.jobId)
      .where("generation", "=", hold.generation)
      .where("status", "=", "active")
      .forUpdate()
      .executeTakeFirst();
    if (held === undefined) throw new LostJobError(hold.jobId);
    return takeUnread(transaction, hold.jobId);
  });
}

/**
 * Takes all unread messages into the transcript, inside a transaction that has locked the job row.
 * @returns them, oldest first.
 */
export async function takeUnread(transaction: Kysely<Schema>, jobId: string): Promise<Prompt[]> {
  const messages = await transaction
    .selectFrom("job_messages")
    .select(["id", "prompt"])
    .where("job_id", "=", jobId)
    .where("read_at_position", "is", null)
    .orderBy("sequence")
    .execute();
  if (messages.length === 0) return [];
  const position = await appendEvents(
    transaction,
    jobId,
    messages.map((message) => ({ type: "prompt", data: { text: message.prompt, messageId: message.id } })),
  );
  await transaction
    .updateTable("job_messages")
    .set({ read_at_position: position })
    .where(
      "id",
      "in",
      messages.map((message) => message.id),
    )
    .execute();
  return messages.map((message) => ({ type: "prompt", text: message.prompt }));
}
