import { sql, type Kysely, type Selectable } from "kysely";
import type { CodeHosts } from "../codehost/codehosts.ts";
import { createRowLoader } from "../database/row-loader.ts";
import type { JobsTable, Schema } from "../database/schema.ts";
import { createId } from "../ids.ts";
import { followEvents } from "./events.ts";
import { choiceProblem } from "./choices.ts";
import { withIdempotency } from "./idempotency.ts";
import type { InvalidJob, Job, Jobs } from "./job.ts";
import { appendEvents } from "./record.ts";
import type { JobSignals } from "./signals.ts";

type NotFound = { refused: "not_found" };

export interface JobsDependencies {
  database: Kysely<Schema>;
  signals: Pick<JobSignals, "onJobEvent">;
  /** The model that new jobs are created with, e.g. `docent:offline`. */
  modelName: string;
  repositoryUrl: CodeHosts["repositoryUrl"];
  clock: () => Date;
}

/**
 * The jobs as the API sees them: every change is one transaction that locks the job row first, and a change that
 * gives a worker something to do wakes the workers when it commits.
 */
export function createJobs({ database, signals, modelName, repositoryUrl, clock }: JobsDependencies): Jobs {
  const rows = createRowLoader(async (ids) => {
    const found = await database
      .selectFrom("jobs")
      .selectAll()
      .where("id", "in", [...ids])
      .execute();
    return new Map(found.map((row) => [row.id, row]));
  });

  async function jobRow(projectId: string, jobId: string): Promise<Selectable<JobsTable> | undefined> {
    const row = await rows.load(jobId);
    return row?.project_id === projectId ? row : undefined;
  }

  function lockJob(transaction: Kysely<Schema>, projectId: string, jobId: string) {
    return transaction
      .selectFrom("jobs")
      .selectAll()
      .where("id", "=", jobId)
      .where("project_id", "=", projectId)
      .forUpdate()
      .executeTakeFirst();
  }

  return {
    create: (projectId, { prompt, idempotency, ...choices }) =>
      withIdempotency<NotFound | InvalidJob>(
        database,
        { projectId, operation: "create", idempotency, clock },
        async (transaction) => {
          const project = await transaction
            .selectFrom("projects")
            .select(["repository", "code_host", "code_host_url", "ref", "settings"])
            .where("id", "=", projectId)
            .where("deleted_at", "is", null)
            .executeTakeFirst();
          if (project === undefined) return { refused: "not_found" };
          const problem = choiceProblem(project, modelName, choices);
          if (problem !== undefined) return { refused: "invalid_request", message: problem };
          const now = clock();
          const row = await transaction
            .insertInto("jobs")
            .values({
              id: createId("job", now),
              project_id: projectId,
              status: "active",
              model: choices.model ?? project.settings.model ?? modelName,
              repository_url: repositoryUrl(project),
              ref: choices.ref ?? project.ref,
              draft: choices.draft ?? project.settings.pullRequests?.draft ?? false,
              created_at: now,
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          await insertMessage(transaction, row.id, prompt, now);
          return { job: toJob(row) };
        },
      ),

    async get(projectId, jobId) {
      const row = await jobRow(projectId, jobId);
      return row === undefined ? undefined : toJob(row);
    },

    async list(projectId, { limit, cursor, status }) {
      let query = database
        .selectFrom("jobs")
        .selectAll()
        .where("project_id", "=", projectId)
        .orderBy("id", "desc")
        .limit(limit + 1);
      // Ids sort by their time of creation, so the last id of a page is the cursor to the next.
      if (cursor !== undefined) query = query.where("id", "<", cursor);
      if (status !== undefined) query = query.where("status", "=", status);
      const found = await query.execute();
      const page = found.slice(0, limit);
      return { jobs: page.map(toJob), nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
    },

    message: (projectId, jobId, { prompt, idempotency }) =>
      withIdempotency<NotFound | { refused: "archived" }>(
        database,
        { projectId, operation: `message ${jobId}`, idempotency, clock },
        async (transaction) => {
          const row = await lockJob(transaction, projectId, jobId);
          if (row === undefined) return { refused: "not_found" };
          if (row.status === "archived") return { refused: "archived" };
          await insertMessage(transaction, jobId, prompt, clock());
          if (row.status === "active") return { job: toJob(row) };
          const woken = await transaction
            .updateTable("jobs")
            // The database's time, by which workers claim: a server whose clock is ahead must not hold a job back.
            .set({ status: "active", failure_reason: null, pickups: 0, last_error: null, run_at: sql`now()` })
            .where("id", "=", jobId)
            .returningAll()
            .executeTakeFirstOrThrow();
          await appendEvents(transaction, jobId, [{ type: "status", data: { status: "active" } }]);
          return { job: toJob(woken) };
        },
      ),

    archive: (projectId, jobId) =>
      database.transaction().execute(async (transaction) => {
        const row = await lockJob(transaction, projectId, jobId);
        if (row === undefined || row.status === "archived") return row && toJob(row);
        const archived = await transaction
          .updateTable("jobs")
          .set({ status: "archived", archived_at: clock(), failure_reason: null })
          .where("id", "=", jobId)
          .returningAll()
          .executeTakeFirstOrThrow();
        await appendEvents(transaction, jobId, [{ type: "status", data: { status: "archived" } }]);
        await sql`select pg_notify('job_archived', ${jobId})`.execute(transaction);
        return toJob(archived);
      }),

    async events(projectId, jobId, { after, signal }) {
      const row = await jobRow(projectId, jobId);
      if (row === undefined) return undefined;
      if (row.status === "archived" && after >= row.last_position) return noEvents();
      return followEvents(database, signals, jobId, { after, signal });
    },
  };
}

async function* noEvents(): AsyncGenerator<never> {}

/** Stores a message, tells the event log, and wakes the workers when the transaction commits. */
async function insertMessage(transaction: Kysely<Schema>, jobId: string, prompt: string, now: Date): Promise<void> {
  const id = createId("msg", now);
  await transaction.insertInto("job_messages").values({ id, job_id: jobId, prompt, created_at: now }).execute();
  await appendEvents(transaction, jobId, [{ type: "message", data: { id, prompt } }]);
  await sql`select pg_notify('jobs_ready', '')`.execute(transaction);
}

/** `prLink` stays null while a job is active, as its clients are promised; `pullRequest` already tells of an earlier one. */
export function toJob(row: Selectable<JobsTable>): Job {
  return {
    id: row.id,
    status: row.status,
    source: { repository: row.repository_url, ref: row.ref },
    model: row.model,
    prLink: row.status === "active" ? null : row.pull_request_url,
    createdAt: row.created_at.toISOString(),
    archivedAt: row.archived_at?.toISOString() ?? null,
    branch: row.branch,
    pullRequest:
      row.pull_request_number === null || row.pull_request_url === null || row.pull_request_state === null
        ? null
        : { url: row.pull_request_url, number: row.pull_request_number, state: row.pull_request_state },
    failureReason: row.failure_reason,
  };
}
