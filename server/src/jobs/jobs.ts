import type { Kysely, Selectable } from "kysely";
import type { CodeHosts } from "../codehost/codehosts.ts";
import { createRowLoader } from "../database/row-loader.ts";
import type { JobsTable, Schema } from "../database/schema.ts";
import { createId } from "../ids.ts";
import { enqueueDelivery } from "../webhooks/out/outbox.ts";
import { addMessage, insertMessage } from "./add-message.ts";
import { archiveJob } from "./archive-job.ts";
import { createJobChanges } from "./changes/changes.ts";
import { followEvents } from "./events.ts";
import { choiceProblem } from "./choices.ts";
import { JOB_ANSWER, withIdempotency } from "./idempotency.ts";
import type { InvalidJob, Job, Jobs } from "./job.ts";
import { toJob } from "./job-row.ts";
import { searchJobs } from "./search.ts";
import type { JobSignals } from "./signals.ts";
import { toStoredJson } from "./stored-json.ts";
import { jobTitle } from "./title.ts";

type NotFound = { refused: "not_found" };

export interface JobsDependencies {
  database: Kysely<Schema>;
  signals: Pick<JobSignals, "onJobEvent" | "onJobDelta">;
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
    ...createJobChanges({ database, jobRow }),

    create: (projectId, { idempotency, prompt, author, ...choices }) =>
      withIdempotency<{ job: Job }, NotFound | InvalidJob>(
        database,
        { projectId, operation: "create", idempotency, clock, form: JOB_ANSWER },
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
          const by = author === undefined ? {} : { author };
          const row = await transaction
            .insertInto("jobs")
            .values({
              id: createId("job", now),
              project_id: projectId,
              title: jobTitle(prompt),
              author: author === undefined ? null : toStoredJson(author),
              status: "active",
              model: choices.model ?? project.settings.model ?? modelName,
              repository_url: repositoryUrl(project),
              ref: choices.ref ?? project.ref,
              draft: choices.draft ?? project.settings.pullRequests?.draft ?? false,
              created_at: now,
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          await insertMessage(transaction, row.id, { prompt, ...by }, now);
          if (project.settings.webhookUrl !== undefined) {
            await enqueueDelivery(transaction, { projectId, position: 0, job: toJob(row) });
          }
          return { job: toJob(row) };
        },
      ),

    async get(projectId, jobId) {
      const row = await jobRow(projectId, jobId);
      return row === undefined ? undefined : toJob(row);
    },

    async list(projectId, { limit, cursor, status, search }) {
      let query = database
        .selectFrom("jobs")
        .selectAll()
        .where("project_id", "=", projectId)
        .orderBy("id", "desc")
        .limit(limit + 1);
      // Ids sort by their time of creation, so the last id of a page is the cursor to the next.
      if (cursor !== undefined) query = query.where("id", "<", cursor);
      if (status !== undefined) query = query.where("status", "=", status);
      if (search !== undefined) query = query.where(searchJobs(projectId, search));
      const found = await query.execute();
      const page = found.slice(0, limit);
      return { jobs: page.map(toJob), nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
    },

    message: (projectId, jobId, { idempotency, ...message }) =>
      withIdempotency<{ job: Job }, NotFound | { refused: "archived" }>(
        database,
        { projectId, operation: `message ${jobId}`, idempotency, clock, form: JOB_ANSWER },
        async (transaction) => {
          const row = await lockJob(transaction, projectId, jobId);
          if (row === undefined) return { refused: "not_found" };
          if (row.status === "archived") return { refused: "archived" };
          return { job: toJob(await addMessage(transaction, row, message, { now: clock() })) };
        },
      ),

    archive: (projectId, jobId) =>
      database.transaction().execute(async (transaction) => {
        const row = await lockJob(transaction, projectId, jobId);
        if (row === undefined || row.status === "archived") return row && toJob(row);
        return toJob(await archiveJob(transaction, jobId, clock()));
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
