import { sql, type Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";
import { appendEvents } from "./record.ts";

/**
 * Takes over the states of pull requests that ended since: by a person on the code host, or by a push. Archives the
 * jobs of merged ones where the project says so.
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
    .select(["jobs.id", "builtin_pull_requests.state", "projects.settings"])
    .where("jobs.pull_request_state", "=", "open")
    .where("builtin_pull_requests.state", "!=", "open")
    .execute();
  for (const { id, state, settings } of ended) {
    const archives = state === "merged" && settings.archiveOnMerge === true;
    await database.transaction().execute(async (transaction) => {
      const job = await transaction
        .updateTable("jobs")
        .set({ pull_request_state: state })
        .where("id", "=", id)
        .where("pull_request_state", "=", "open")
        .returning("status")
        .executeTakeFirst();
      if (job === undefined) return;
      await appendEvents(transaction, id, [{ type: "publish", data: { state } }]);
      if (!archives || job.status === "archived") return;
      await transaction
        .updateTable("jobs")
        .set({ status: "archived", archived_at: clock(), failure_reason: null })
        .where("id", "=", id)
        .execute();
      await appendEvents(transaction, id, [{ type: "status", data: { status: "archived" } }]);
      await sql`select pg_notify('job_archived', ${id})`.execute(transaction);
    });
  }
  return ended.length;
}
