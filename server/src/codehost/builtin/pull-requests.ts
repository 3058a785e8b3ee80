import { sql, type Kysely, type Selectable } from "kysely";
import type { BuiltinPullRequestsTable, Schema } from "../../database/schema.ts";
import {
  CodeHostError,
  type PullRequestContent,
  type PullRequestCreation,
  type PullRequestState,
} from "../codehost.ts";

export type PullRequestRow = Selectable<BuiltinPullRequestsTable>;

interface RowCreation extends PullRequestCreation {
  /** Where the base branch is now, when it is known. */
  baseCommit: string | null;
  now: Date;
}

/** The rows of pull requests. What git says about them is not looked at here. */
export interface PullRequestRows {
  get(repository: string, number: number): Promise<PullRequestRow | undefined>;
  /** Newest first, from `before` on, which is not among them. */
  list(
    repository: string,
    page: { limit: number; before?: number; state?: PullRequestState },
  ): Promise<PullRequestRow[]>;
  findNewest(repository: string, headBranch: string): Promise<PullRequestRow | undefined>;
  /** Takes the repository's next number. @throws CodeHostError `pull_request_exists`, `not_found` (no repository). */
  create(repository: string, creation: RowCreation): Promise<PullRequestRow>;
  setContent(repository: string, number: number, content: PullRequestContent): Promise<PullRequestRow | undefined>;
  /** Ends an open one; does nothing to one that has already ended. */
  end(
    repository: string,
    number: number,
    ended: { state: "merged" | "closed"; head: string | null; base: string | null; now: Date },
  ): Promise<void>;
}

function isDuplicate(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "23505" &&
    "constraint" in error &&
    error.constraint === "builtin_pull_requests_open"
  );
}

/** Whoever keeps a pull request's state elsewhere, the jobs for one, hears that one has ended. */
export async function announceEnd(database: Kysely<Schema>, repository: string): Promise<void> {
  await sql`select pg_notify('pull_request_ended', ${repository})`.execute(database);
}

export function createPullRequestRows(database: Kysely<Schema>): PullRequestRows {
  return {
    get: (repository, number) =>
      database
        .selectFrom("builtin_pull_requests")
        .selectAll()
        .where("repository", "=", repository)
        .where("number", "=", number)
        .executeTakeFirst(),

    list(repository, { limit, before, state }) {
      let query = database
        .selectFrom("builtin_pull_requests")
        .selectAll()
        .where("repository", "=", repository)
        .orderBy("number", "desc")
        .limit(limit);
      if (before !== undefined) query = query.where("number", "<", before);
      if (state !== undefined) query = query.where("state", "=", state);
      return query.execute();
    },

    findNewest: (repository, headBranch) =>
      database
        .selectFrom("builtin_pull_requests")
        .selectAll()
        .where("repository", "=", repository)
        .where("head_branch", "=", headBranch)
        .orderBy("number", "desc")
        .limit(1)
        .executeTakeFirst(),

    async create(repository, { title, body, headBranch, baseBranch, draft, labels, baseCommit, now }) {
      try {
        return await database.transaction().execute(async (transaction) => {
          // The lock comes in a statement of its own: the next one then sees every number that was taken before.
          const locked = await transaction
            .selectFrom("builtin_repositories")
            .select("name")
            .where("name", "=", repository)
            .forUpdate()
            .executeTakeFirst();
          if (locked === undefined) {
            throw new CodeHostError("not_found", "There is no such repository on the built-in code host.");
          }
          return await transaction
            .insertInto("builtin_pull_requests")
            .values((expression) => ({
              repository,
              number: expression
                .selectFrom("builtin_pull_requests as existing")
                .select(sql<number>`coalesce(max(existing.number), 0) + 1`.as("number"))
                .where("existing.repository", "=", repository),
              title,
              body,
              head_branch: headBranch,
              base_branch: baseBranch,
              state: "open" as const,
              draft: draft ?? false,
              labels: [...(labels ?? [])],
              head_commit: null,
              base_commit: baseCommit,
              created_at: now,
              ended_at: null,
            }))
            .returningAll()
            .executeTakeFirstOrThrow();
        });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        throw new CodeHostError("pull_request_exists", `The branch ${headBranch} already has an open pull request.`);
      }
    },

    setContent: (repository, number, { title, body }) =>
      database
        .updateTable("builtin_pull_requests")
        .set({ title, body })
        .where("repository", "=", repository)
        .where("number", "=", number)
        .returningAll()
        .executeTakeFirst(),

    async end(repository, number, { state, head, base, now }) {
      await database
        .updateTable("builtin_pull_requests")
        .set({ state, head_commit: head, base_commit: base, ended_at: now })
        .where("repository", "=", repository)
        .where("number", "=", number)
        .where("state", "=", "open")
        .execute();
      await announceEnd(database, repository);
    },
  };
}
