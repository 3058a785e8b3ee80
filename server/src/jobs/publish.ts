import { sql, type Kysely } from "kysely";
import { CodeHostError, type CodeHost } from "../codehost/codehost.ts";
import { describePushRefusal } from "../codehost/push-refusal.ts";
import type { PublishIntent, Schema } from "../database/schema.ts";
import { GitError } from "../git/git.ts";
import type { Problem } from "../workspace/docs/problem.ts";
import type { Mirror } from "../workspace/mirror.ts";
import type { JobState } from "./job-state.ts";
import { addToBody } from "./pull-request-text.ts";
import { appendEvents, LostJobError, updateHeldJob, type Hold } from "./record.ts";
import { jobTitle } from "./title.ts";
import type { PublishedPullRequest } from "./turn-end.ts";

interface Dependencies {
  database: Kysely<Schema>;
  codeHost: CodeHost;
}

/** Problems that are kept with a publication; the rest are counted. */
const PROBLEMS_MAX = 100;

/**
 * Persists what is about to be published, and what the checks found in it, before anything outside is touched. From here on the publication is carried
 * to its end by whoever holds the job, archived or not.
 * @throws LostJobError when the job is no longer held or no longer active.
 */
export async function recordIntent(
  database: Kysely<Schema>,
  hold: Hold,
  intent: PublishIntent,
  introduced: readonly Problem[],
): Promise<void> {
  const { branch, commit } = intent;
  const problems = introduced.slice(0, PROBLEMS_MAX).map(({ path, line, message }) => ({ path, line, message }));
  const data = { state: "started", branch, commit, problems, problemsTotal: introduced.length };
  await database.transaction().execute(async (transaction) => {
    await updateHeldJob(transaction, hold, {
      publish: JSON.stringify(intent),
      title: jobTitle(intent.title),
      pickups: 0,
      waits: 0,
      last_error: null,
    });
    await appendEvents(transaction, hold.jobId, [{ type: "publish", data }]);
  });
}

/** Only the first time it is a step further: a worker that never gets beyond it must not begin to count anew. */
async function recordPushed(database: Kysely<Schema>, hold: Hold, branch: string): Promise<void> {
  const result = await sql`
    update jobs set
      branch = ${branch},
      pickups = case when branch is distinct from ${branch} then 0 else pickups end,
      waits = case when branch is distinct from ${branch} then 0 else waits end
    where id = ${hold.jobId} and generation = ${hold.generation}
  `.execute(database);
  if (result.numAffectedRows === 0n) throw new LostJobError(hold.jobId);
}

/**
 * Carries a persisted intent out: pushes, then finds or opens the pull request. Every part can be repeated, by this or
 * another worker: a branch at the commit or beyond it counts as pushed, and a pull request is looked for before one is
 * opened.
 * @returns `moved` when the branch is somewhere else by now.
 */
export async function carryOut(
  { database, codeHost }: Dependencies,
  hold: Hold,
  { job, project }: JobState,
  mirror: Mirror,
  intent: PublishIntent,
): Promise<PublishedPullRequest | "moved"> {
  const { branch, commit, expected } = intent;
  const pushed = await mirror.push({ branch, commit, expected }).catch(async (error: unknown) => {
    throw await sayArchived(codeHost, project.repository, error);
  });
  if (pushed === "moved") return "moved";
  await recordPushed(database, hold, intent.branch);
  const repository = project.repository;
  const found = await codeHost.findPullRequest(repository, intent.branch);
  // One that the job knew before this turn and that ended since without this commit is history; a newer one is ours.
  const isHistory =
    found !== undefined &&
    found.state !== "open" &&
    found.number === job.pull_request_number &&
    !(found.state === "merged" && (await baseContains(mirror, job.ref, intent.commit)));
  if (found !== undefined && !isHistory) {
    // Adding, rather than writing what the body shall be, keeps what people and later turns wrote there meanwhile: a
    // worker that was stopped at this point and is woken by the time finds its own words among theirs.
    const body = intent.addition === null ? found.body : addToBody(found.body, intent.addition);
    const current =
      found.state === "open" && body !== found.body
        ? await codeHost.updatePullRequest(repository, found.number, { title: found.title, body })
        : found;
    return { branch: intent.branch, number: current.number, url: current.url, state: current.state };
  }
  const opened = await openPullRequest(codeHost, repository, {
    title: intent.title,
    body: intent.body,
    headBranch: intent.branch,
    baseBranch: job.ref,
    draft: job.draft,
    labels: project.settings.pullRequests?.labels ?? [],
    reviewers: project.settings.pullRequests?.reviewers ?? [],
  });
  return { branch: intent.branch, number: opened.number, url: opened.url, state: opened.state };
}

/** Some code hosts tell git of an archived repository only that nobody may push to it. */
async function sayArchived(codeHost: CodeHost, repository: string, error: unknown): Promise<unknown> {
  const refusal = error instanceof GitError ? describePushRefusal(error) : undefined;
  if (refusal?.code !== "permission_missing") return error;
  const { url, isArchived } = await codeHost.getRepository(repository);
  if (!isArchived) return error;
  const advice = "Unarchive it, then send the instruction again.";
  return new CodeHostError("repository_archived", `${url} is archived and takes no changes. ${advice}`, {
    cause: error,
  });
}

async function baseContains(mirror: Mirror, baseBranch: string, commit: string): Promise<boolean> {
  const head = await mirror.fetchBranch(baseBranch);
  return head !== undefined && mirror.isAncestor(commit, head);
}

async function openPullRequest(
  codeHost: CodeHost,
  repository: string,
  request: Parameters<CodeHost["createPullRequest"]>[1],
) {
  try {
    return await codeHost.createPullRequest(repository, request);
  } catch (error) {
    if (!(error instanceof CodeHostError) || error.code !== "pull_request_exists") throw error;
    const existing = await codeHost.findPullRequest(repository, request.headBranch);
    if (existing !== undefined) return existing;
    // Lists lag behind what was just opened, by the attempt that had no answer perhaps: look again in a while.
    throw new CodeHostError("unavailable", error.message, { cause: error });
  }
}

/** What a job that was archived in the middle of publishing left behind: its pull request, if one was opened. */
export async function findLeftBehind(
  { codeHost }: Pick<Dependencies, "codeHost">,
  { job, project }: JobState,
  intent: PublishIntent,
): Promise<PublishedPullRequest | null> {
  const found = await codeHost.findPullRequest(project.repository, intent.branch);
  if (found === undefined || found.number === job.pull_request_number) return null;
  return { branch: intent.branch, number: found.number, url: found.url, state: found.state };
}
