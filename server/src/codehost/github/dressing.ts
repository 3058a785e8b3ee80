import type { Octokit } from "@octokit/rest";
import { statusOf } from "./failure.ts";
import type { RepositoryName } from "./names.ts";

/**
 * Labels a pull request. GitHub makes a label that does not exist yet, unless this credential may not: then those that
 * exist are set. The pull request is open by now, so that nothing here is worth failing for.
 */
export async function setLabels(
  octokit: Octokit,
  name: RepositoryName,
  number: number,
  labels: readonly string[],
): Promise<void> {
  if (labels.length === 0) return;
  const add = (some: readonly string[]) =>
    octokit.rest.issues.addLabels({ ...name, issue_number: number, labels: [...some] });
  try {
    await add(labels);
  } catch (error) {
    if (!isRefusal(error)) return;
    const existing = await attempt(() =>
      octokit.paginate(octokit.rest.issues.listLabelsForRepo, { ...name, per_page: 100 }),
    );
    const known = new Set(existing?.map((label) => label.name.toLowerCase()));
    const some = labels.filter((label) => known.has(label.toLowerCase()));
    if (some.length > 0) await attempt(() => add(some));
  }
}

/**
 * Asks for reviews: of users by login name, of teams as `team:slug`. GitHub refuses all when one cannot be asked; then
 * each is asked alone.
 */
export async function requestReviews(
  octokit: Octokit,
  name: RepositoryName,
  number: number,
  reviewers: readonly string[],
): Promise<void> {
  if (reviewers.length === 0) return;
  const ask = (some: readonly string[]) => {
    const teams = some.filter((each) => each.startsWith("team:")).map((each) => each.slice("team:".length));
    const users = some.filter((each) => !each.startsWith("team:"));
    return octokit.rest.pulls.requestReviewers({
      ...name,
      pull_number: number,
      ...(users.length === 0 ? {} : { reviewers: users }),
      ...(teams.length === 0 ? {} : { team_reviewers: teams }),
    });
  };
  try {
    await ask(reviewers);
  } catch (error) {
    if (!isRefusal(error) || reviewers.length === 1) return;
    for (const reviewer of reviewers) await attempt(() => ask([reviewer]));
  }
}

function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status < 500;
}

async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
