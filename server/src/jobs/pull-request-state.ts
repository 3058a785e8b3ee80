import type { Kysely } from "kysely";
import type { PullRequestState } from "../codehost/codehost.ts";
import type { Schema } from "../database/schema.ts";
import { archiveJob } from "./archive-job.ts";
import { appendEvents } from "./record.ts";

/** What became of a pull request on its code host. */
export interface PullRequestChange {
  jobId: string;
  /** A job that has another pull request by now is left alone. */
  number: number;
  state: PullRequestState;
}

/**
 * Takes the state of a job's pull request over: merged, closed, or opened again. Archives the job where the project
 * says so. Telling the same again changes nothing, and what is merged stays so.
 * @returns whether the job changed.
 */
export function takeOverPullRequestState(
  database: Kysely<Schema>,
  change: PullRequestChange,
  clock: () => Date,
): Promise<boolean> {
  return database.isTransaction
    ? takeOver(database, change, clock())
    : database.transaction().execute((transaction) => takeOver(transaction, change, clock()));
}

async function takeOver(
  transaction: Kysely<Schema>,
  { jobId, number, state }: PullRequestChange,
  now: Date,
): Promise<boolean> {
  const job = await transaction
    .updateTable("jobs")
    .set({ pull_request_state: state })
    .where("id", "=", jobId)
    .where("pull_request_number", "=", number)
    .where("pull_request_state", "not in", ["merged", state])
    .returning(["status", "project_id"])
    .executeTakeFirst();
  if (job === undefined) return false;
  await appendEvents(transaction, jobId, [{ type: "publish", data: { state } }]);
  if (state === "open" || job.status === "archived") return true;
  const { settings } = await transaction
    .selectFrom("projects")
    .select("settings")
    .where("id", "=", job.project_id)
    .executeTakeFirstOrThrow();
  const archives = state === "merged" ? settings.archiveOnMerge : settings.archiveOnClose;
  if (archives === true) await archiveJob(transaction, jobId, now);
  return true;
}

/**
 * Takes over the states of the built-in code host's pull requests that ended since: by a person, or by a push.
 * @returns how many jobs changed.
 */
export async function takeOverPullRequestStates(database: Kysely<Schema>, clock: () => Date): Promise<number> {
  const ended = await database
    .selectFrom("jobs")
    .innerJoin("projects", "projects.id", "jobs.project_id")
    .innerJoin("builtin_pull_requests", (join) =>
      join
        .onRef("builtin_pull_requests.repository", "=", "projects.repository")
        .onRef("builtin_pull_requests.number", "=", "jobs.pull_request_number"),
    )
    .select(["jobs.id", "builtin_pull_requests.number", "builtin_pull_requests.state"])
    .where("projects.code_host", "=", "builtin")
    .where("jobs.pull_request_state", "=", "open")
    .where("builtin_pull_requests.state", "!=", "open")
    .execute();
  for (const { id, number, state } of ended)
    await takeOverPullRequestState(database, { jobId: id, number, state }, clock);
  return ended.length;
}
