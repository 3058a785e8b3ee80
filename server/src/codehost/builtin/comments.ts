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

/** The comments below the built-in host's pull requests. */
export interface Comments {
  add(repository: string, number: number, comment: NewComment): Promise<void>;
  /** Oldest first. */
  list(repository: string, number: number): Promise<Selectable<BuiltinPullRequestCommentsTable>[]>;
}

export function createComments(database: Kysely<Schema>, clock: () => Date): Comments {
  return {
    async add(repository, number, comment) {
      const now = clock();
      await database
        .insertInto("builtin_pull_request_comments")
        .values({ id: createId("cmt", now), repository, number, ...comment, created_at: now })
        .onConflict((conflict) => conflict.columns(["repository", "number", "marker"]).doNothing())
        .execute();
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
