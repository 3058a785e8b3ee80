import { sql, type Kysely } from "kysely";
import { CodeHostError } from "../codehost/codehost.ts";
import type { CodeHosts } from "../codehost/codehosts.ts";
import type { CodeHostName, Schema } from "../database/schema.ts";
import { takeOverPullRequestState } from "./pull-request-state.ts";

/** An open pull request is asked for again after this long: merges reach a job without a webhook, if later. */
const AGAIN_AFTER_MINUTES = 10;
/** In one round. With a round a minute and many open ones, each is asked for less often instead of all at once. */
const ROUND_MAX = 20;

interface Due {
  id: string;
  number: number;
  repository: string;
  project_id: string;
  code_host: CodeHostName;
  code_host_url: string | null;
}

/**
 * Asks code hosts outside of Docent what became of the jobs' open pull requests, those first that were not asked for
 * longest. Several processes ask for different ones.
 */
export async function pollPullRequests(dependencies: {
  database: Kysely<Schema>;
  codeHosts: Pick<CodeHosts, "of">;
  clock: () => Date;
  log: { warn(context: object, message: string): void };
}): Promise<void> {
  const { database, codeHosts, clock, log } = dependencies;
  /** Projects whose code host has no answer now. */
  const silent = new Set<string>();
  for (const due of await takeDue(database, clock())) {
    const { id, number, repository, project_id: projectId } = due;
    if (silent.has(projectId)) continue;
    try {
      const codeHost = await codeHosts.of({ ...due, id: projectId });
      const found = await codeHost.getPullRequest(repository, number);
      if (found !== undefined) {
        await takeOverPullRequestState(database, { jobId: id, number, state: found.state }, clock);
      }
    } catch (error) {
      // Whatever is wrong with one project, a credential that cannot be opened for one, the others are asked for.
      silent.add(projectId);
      const why = error instanceof CodeHostError ? { code: error.code, reason: error.message } : { err: error };
      log.warn({ projectId, ...why }, "the state of pull requests was not read");
    }
  }
}

async function takeDue(database: Kysely<Schema>, now: Date): Promise<Due[]> {
  const before = new Date(now.getTime() - AGAIN_AFTER_MINUTES * 60_000);
  const result = await sql<Due>`
    with due as (
      select jobs.id, projects.repository, projects.code_host, projects.code_host_url
      from jobs join projects on projects.id = jobs.project_id
      where jobs.pull_request_state = 'open'
        and projects.code_host <> 'builtin' and projects.deleted_at is null
        and (jobs.pull_request_checked_at is null or jobs.pull_request_checked_at <= ${before})
      order by jobs.pull_request_checked_at nulls first, jobs.id
      limit ${ROUND_MAX}
      for update of jobs skip locked
    )
    update jobs set pull_request_checked_at = ${now}
    from due where jobs.id = due.id
    returning jobs.id, jobs.pull_request_number as number, jobs.project_id,
      due.repository, due.code_host, due.code_host_url`.execute(database);
  return result.rows;
}
