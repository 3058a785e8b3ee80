import type { Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import { createId } from "../../ids.ts";
import { createJobs } from "../jobs.ts";
import type { Jobs } from "../job.ts";

/** A project row whose repository is its own id, as the built-in host names it. */
export async function insertProject(database: Kysely<Schema>, name = "Docs"): Promise<string> {
  const id = createId("prj", new Date());
  await database
    .insertInto("projects")
    .values({ id, name, code_host: "builtin", repository: id, ref: "main", settings: "{}" })
    .execute();
  return id;
}

/** The jobs API over a database, without a worker and without notifications. */
export function createTestJobs(database: Kysely<Schema>, clock: () => Date = () => new Date()): Jobs {
  return createJobs({
    database,
    signals: { onJobEvent: () => () => {}, onJobDelta: () => () => {} },
    modelName: "docent:offline",
    repositoryUrl: ({ repository }) => `http://localhost/git/${repository}.git`,
    clock,
  });
}

/** The job of an answer that must not be a refusal. */
export function jobOf<Answer extends { job: unknown } | { refused: string }>(
  answer: Answer,
): Extract<Answer, { job: unknown }>["job"] {
  if ("refused" in answer) throw new Error(`refused: ${answer.refused}`);
  return answer.job;
}
