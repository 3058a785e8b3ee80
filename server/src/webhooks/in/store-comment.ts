import { type Kysely, type Selectable } from "kysely";
import type { Author, JobsTable, MessageOrigin, Schema } from "../../database/schema.ts";
import { addMessage, extendMessage } from "../../jobs/add-message.ts";
import { commentPrompt, PROMPT_CHARACTERS_MAX, type Comment } from "./prompt.ts";

/** A job that a review wakes waits for this long: code hosts tell a review's comments one by one. */
const REVIEW_REST_MS = 5_000;

/** The message that a comment can join: the last one that waits to be read, when it is the same person's comment. */
export async function findOpenMessage(
  database: Kysely<Schema>,
  jobId: string,
  author: string,
): Promise<{ id: string; prompt: string; author: Author; origin: MessageOrigin } | undefined> {
  const last = await database
    .selectFrom("job_messages")
    .select(["id", "prompt", "origin"])
    .where("job_id", "=", jobId)
    .where("read_at_position", "is", null)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  if (last === undefined || last.origin?.type !== "comment" || last.origin.author !== author) return undefined;
  return { ...last, author: { type: "comment", name: author }, origin: last.origin };
}

/**
 * Makes a comment a message to its job, whose row the transaction has locked. What a person said a moment ago and nobody
 * has read yet becomes one message with it: a review with several comments is one instruction.
 */
export async function storeComment(
  transaction: Kysely<Schema>,
  job: Selectable<JobsTable>,
  comment: Comment,
  now: Date,
): Promise<void> {
  const prompt = commentPrompt(comment);
  const open = await findOpenMessage(transaction, job.id, comment.author.login);
  if (open !== undefined && [...open.prompt].length + [...prompt].length + 2 <= PROMPT_CHARACTERS_MAX) {
    await extendMessage(transaction, job.id, open, prompt);
    return;
  }
  const { login } = comment.author;
  const origin = { type: "comment", url: comment.url, author: login } as const;
  const message = { prompt, origin, author: { type: "comment", name: login } as const };
  await addMessage(transaction, job, message, { now, restMs: comment.isReview ? REVIEW_REST_MS : 0 });
}
