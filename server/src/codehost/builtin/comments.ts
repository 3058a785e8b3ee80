import type { Kysely, Selectable } from "kysely";
import type { BuiltinPullRequestCommentsTable, Schema } from "../../database/schema.ts";
import { createId } from "../../ids.ts";

export interface NewComment {
  author: string;
  /** Markdown. */
  body: string;
  /** Of Docent's own: one that is there already with this marker stands for it. */
  marker: string | null;
}

export type Comment = Selectable<BuiltinPullRequestCommentsTable>;

/** The comments below the built-in host's pull requests. */
export interface Comments {
  /** @returns undefined when one with this marker is there already. */
  add(repository: string, number: number, comment: NewComment): Promise<Comment | undefined>;
  /** Oldest first. */
  list(repository: string, number: number): Promise<Comment[]>;
}

export function createComments(database: Kysely<Schema>, clock: () => Date): Comments {
  return {
    async add(repository, number, comment) {
      const now = clock();
      return await database
        .insertInto("builtin_pull_request_comments")
        .values({ id: createId("cmt", now), repository, number, ...comment, created_at: now })
        .onConflict((conflict) => conflict.columns(["repository", "number", "marker"]).doNothing())
        .returningAll()
        .executeTakeFirst();
    },

    list: (repository, number) =>
      database
        .selectFrom("builtin_pull_request_comments")
        .selectAll()
        .where("repository", "=", repository)
        .where("number", "=", number)
        .orderBy("id")
        .execute(),
  };
}
