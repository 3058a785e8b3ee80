import type { Kysely } from "kysely";
import { createComments, type Comment } from "../codehost/builtin/comments.ts";
import type { PullRequest } from "../codehost/codehost.ts";
import type { Author, Schema } from "../database/schema.ts";
import { addMessage } from "./add-message.ts";
import { withIdempotency } from "./idempotency.ts";
import type { Idempotency } from "./job.ts";

/** A comment as the API answers it. */
export interface PullRequestComment {
  id: string;
  author: string;
  /** Markdown. */
  body: string;
  createdAt: string;
}

/** What became of a comment. */
export interface CommentAnswer {
  comment: PullRequestComment;
  /** The job that has it as a message; null when none does. */
  jobId: string | null;
  /** Why no job has it, in a sentence; null when one has. */
  reason: string | null;
}

/** What people say below pull requests of the built-in code host. */
export interface PullRequestComments {
  list(projectId: string, number: number): Promise<PullRequestComment[]>;
  /**
   * Stores a comment and makes it a message to the pull request's job, in one transaction. The job is not told when the
   * pull request has ended, the job takes no messages, or the project's settings say so.
   */
  add(
    projectId: string,
    pullRequest: Pick<PullRequest, "number" | "url" | "state">,
    request: { body: string; author: Author; idempotency?: Idempotency },
  ): Promise<CommentAnswer | { refused: "idempotency_conflict" }>;
}

export function createPullRequestComments(dependencies: {
  database: Kysely<Schema>;
  clock: () => Date;
}): PullRequestComments {
  const { database, clock } = dependencies;

  return {
    list: async (projectId, number) => (await createComments(database, clock).list(projectId, number)).map(toAnswer),

    add: (projectId, pullRequest, { body, author, idempotency }) =>
      withIdempotency<CommentAnswer>(
        database,
        { projectId, operation: `comment ${pullRequest.number}`, idempotency, clock, form: COMMENT_ANSWER },
        async (transaction) => {
          const { number, url } = pullRequest;
          const added = await createComments(transaction, clock).add(projectId, number, {
            author: author.name,
            body,
            marker: null,
          });
          if (added === undefined) throw new Error("A comment without a marker stands for no other.");
          const comment = toAnswer(added);
          const found = await findListener(transaction, projectId, pullRequest);
          if ("reason" in found) return { comment, jobId: null, reason: found.reason };
          const origin = { type: "comment", url: `${url}#${comment.id}`, author: author.name } as const;
          await addMessage(transaction, found.job, { prompt: body, author, origin }, { now: clock() });
          return { comment, jobId: found.job.id, reason: null };
        },
      ),
  };
}

const COMMENT_ANSWER = {
  store: (answer: CommentAnswer) => answer,
  restore: (stored: object) => stored as CommentAnswer,
};

/** The job that hears what is said below a pull request, its row locked; or why none does. */
async function findListener(
  transaction: Kysely<Schema>,
  projectId: string,
  { number, state }: Pick<PullRequest, "number" | "state">,
) {
  if (state !== "open") return { reason: `The pull request is ${state}.` };
  const { settings } = await transaction
    .selectFrom("projects")
    .select("settings")
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  if (settings.comments === "ignore") return { reason: "The project's settings say that comments are ignored." };
  const job = await transaction
    .selectFrom("jobs")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("pull_request_number", "=", number)
    .orderBy("id", "desc")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (job === undefined) return { reason: "No job has this pull request." };
  if (job.status === "archived") return { reason: "Its job is archived and takes no messages." };
  return { job };
}

function toAnswer({ id, author, body, created_at: createdAt }: Comment): PullRequestComment {
  return { id, author, body, createdAt: createdAt.toISOString() };
}
