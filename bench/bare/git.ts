import { join } from "node:path";
import { runGit } from "../../server/src/git/git.ts";
import { ratePerSecond, timeEach } from "../statistics.ts";

const PERSON = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

/**
 * What this machine's git needs at the least to put a change on a branch: `git commit-tree` of a tree that exists and
 * `git update-ref`, two processes.
 * @returns milliseconds of each, one after another, and how many pairs per second four lanes make.
 */
export async function measureBareCommits(
  directory: string,
  count: number,
): Promise<{ times: number[]; perSecond: number }> {
  const gitDir = join(directory, "bare-commits.git");
  await runGit(["init", "--bare", "--quiet", gitDir]);
  const tree = (await runGit(["mktree"], { gitDir, stdin: "" })).stdout.toString("utf8").trim();
  const commit = async (branch: string): Promise<void> => {
    const made = await runGit(["commit-tree", tree, "-m", branch], { gitDir, env: PERSON });
    await runGit(["update-ref", `refs/heads/${branch}`, made.stdout.toString("utf8").trim()], { gitDir });
  };
  await timeEach(5, (index) => commit(`warm-${index}`));
  const times = await timeEach(count, (index) => commit(`alone-${index}`));
  const perSecond = await ratePerSecond(count * 2, 4, (index) => commit(`together-${index}`));
  return { times, perSecond };
}
