import type { Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";
import type { Idempotency, Job } from "./job.ts";
import { toStoredJson } from "./stored-json.ts";

/** How long a key answers with its first answer. */
export const IDEMPOTENCY_HOURS = 24;

interface Request<Answer> {
  projectId: string;
  operation: string;
  idempotency: Idempotency | undefined;
  clock: () => Date;
  form: StoredForm<Answer>;
}

/** How an answer is kept for whoever asks again. */
interface StoredForm<Answer> {
  store(answer: Answer): object;
  restore(stored: object): Answer;
}

/** What answers that an earlier version stored do not have. */
const ADDED: Pick<Job, "title" | "author" | "waiting" | "usage"> = {
  title: "",
  author: null,
  waiting: null,
  usage: { steps: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
};

/** The job itself is kept. */
export const JOB_ANSWER: StoredForm<{ job: Job }> = {
  store: ({ job }) => job,
  restore: (stored) => ({ job: { ...ADDED, ...(stored as Job) } }),
};

/** Undoes the transaction of whoever comes second with the same key at the same moment. */
class KeyTakenError extends Error {}

/**
 * Runs an operation in a transaction that also stores its answer under the client's key, so that the two cannot part.
 * The same key and request within 24 hours gets the stored answer; the same key with another request is refused.
 */
export async function withIdempotency<Answer extends object, Refusal extends { refused: string } = never>(
  database: Kysely<Schema>,
  request: Request<Answer>,
  operation: (transaction: Kysely<Schema>) => Promise<Answer | Refusal>,
): Promise<Answer | Refusal | { refused: "idempotency_conflict" }> {
  const { idempotency } = request;
  if (idempotency === undefined) return database.transaction().execute(operation);
  for (;;) {
    const earlier = await storedAnswer(database, request, idempotency);
    if (earlier !== undefined) return earlier;
    try {
      return await database.transaction().execute(async (transaction) => {
        const answer = await operation(transaction);
        if ("refused" in answer) return answer;
        // Waits for a transaction that is storing the same key, and then does nothing.
        const stored = await transaction
          .insertInto("idempotency_keys")
          .values({
            project_id: request.projectId,
            operation: request.operation,
            key: idempotency.key,
            request_hash: idempotency.requestHash,
            response: toStoredJson(request.form.store(answer)),
            created_at: request.clock(),
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (stored.numInsertedOrUpdatedRows === 0n) throw new KeyTakenError();
        return answer;
      });
    } catch (error) {
      if (!(error instanceof KeyTakenError)) throw error;
    }
  }
}

async function storedAnswer<Answer extends object>(
  database: Kysely<Schema>,
  { projectId, operation, clock, form }: Request<Answer>,
  idempotency: Idempotency,
): Promise<Answer | { refused: "idempotency_conflict" } | undefined> {
  const expiry = new Date(clock().getTime() - IDEMPOTENCY_HOURS * 3_600_000);
  const key = { project_id: projectId, operation, key: idempotency.key };
  const row = await database
    .selectFrom("idempotency_keys")
    .selectAll()
    .where((where) => where.and(key))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.created_at <= expiry) {
    await database
      .deleteFrom("idempotency_keys")
      .where((where) => where.and(key))
      .where("created_at", "<=", expiry)
      .execute();
    return undefined;
  }
  if (!row.request_hash.equals(idempotency.requestHash)) return { refused: "idempotency_conflict" };
  return form.restore(row.response);
}
