import { sql, type Kysely } from "kysely";
import type { PullRequest } from "../codehost/codehost.ts";
import type { JobStatus, Schema } from "../database/schema.ts";

/** The job that a pull request is of. */
export interface PullRequestJob {
  id: string;
  status: JobStatus;
}

/** What the documentation checks found in a job's last publication to a branch. */
export interface PublishedChecks {
  commit: string;
  /** Problems that the base did not have, the first 100 of them. */
  problems: { path: string; line: number; message: string }[];
  problemsTotal: number;
}

type Numbered = Pick<PullRequest, "number" | "headBranch">;

/** What the jobs know of a project's pull requests. */
export interface PullRequestJobs {
  /** By the pull request's number; those without a job are left out. */
  find(projectId: string, pullRequests: readonly Numbered[]): Promise<Map<number, PullRequestJob>>;
  /** Null when nothing was published to the branch, or before this was kept. */
  findChecks(jobId: string, branch: string): Promise<PublishedChecks | null>;
}

export function createPullRequestJobs({ database }: { database: Kysely<Schema> }): PullRequestJobs {
  return {
    async find(projectId, pullRequests) {
      // A job names its last pull request; earlier ones are known by their branches.
      const ids = new Map(pullRequests.map(({ number, headBranch }) => [number, jobIdOf(headBranch)]));
      const rows = await database
        .selectFrom("jobs")
        .select(["id", "status", "pull_request_number"])
        .where("project_id", "=", projectId)
        .where(
          sql<boolean>`(pull_request_number = any(${[...ids.keys()]}::integer[]) or id = any(${[...ids.values()]}::text[]))`,
        )
        .orderBy("id", "desc")
        .execute();
      const jobs = new Map<number, PullRequestJob>();
      for (const { number, headBranch } of pullRequests) {
        const job =
          rows.find((row) => row.pull_request_number === number) ?? rows.find((row) => row.id === jobIdOf(headBranch));
        if (job !== undefined) jobs.set(number, { id: job.id, status: job.status });
      }
      return jobs;
    },

    async findChecks(jobId, branch) {
      const found = await database
        .selectFrom("job_events")
        .select("data")
        .where("job_id", "=", jobId)
        .where("type", "=", "publish")
        .where(sql<boolean>`data @> ${JSON.stringify({ state: "started", branch })}::jsonb`)
        .orderBy("position", "desc")
        .limit(1)
        .executeTakeFirst();
      return found !== undefined && "problems" in found.data ? (found.data as PublishedChecks) : null;
    },
  };
}

function jobIdOf(branch: string): string | null {
  return /^docent\/(job_\w+?)(?:-\d+)?$/.exec(branch)?.[1] ?? null;
}
