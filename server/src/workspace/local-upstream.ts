import type { CatFile } from "../git/cat-file.ts";
import { GitError, runGit } from "../git/git.ts";
import { createRefUpdater } from "../git/ref-updater.ts";
import { removeStaleLocks, STALE_LOCK_MS } from "./lock-files.ts";
import type { Upstream } from "./upstream.ts";

/** The bare repository lies on this machine: nothing is fetched, and a push is one reference update. */
export function createLocalUpstream(dependencies: { gitDir: string; catFile: CatFile; now: () => number }): Upstream {
  const { gitDir, catFile, now } = dependencies;

  const refs = createRefUpdater({ gitDir });

  const head = (branch: string | null) => catFile.resolve(branch === null ? "HEAD" : `refs/heads/${branch}`);

  const updateBranch = (branch: string, commit: string, expected: string | null) =>
    refs.update(`refs/heads/${branch}`, commit, expected);

  return {
    fetchBranch: head,
    async fetchCommit() {
      return false;
    },
    async isAncestorOfAny(ancestor, descendants) {
      for (const descendant of descendants) {
        // 128: the repository never had one of the two.
        const result = await runGit(["merge-base", "--is-ancestor", ancestor, descendant], {
          gitDir,
          okExitCodes: [0, 1, 128],
        });
        if (result.exitCode === 0) return true;
      }
      return false;
    },
    async push({ branch, commit, expected }) {
      try {
        await updateBranch(branch, commit, expected);
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        if (((await head(branch)) ?? null) !== expected) return "rejected";
        if ((await removeStaleLocks(gitDir, { ageMs: STALE_LOCK_MS, now: now() })) === 0) throw error;
        await updateBranch(branch, commit, expected);
      }
      return "pushed";
    },
  };
}
