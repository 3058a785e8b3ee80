import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { GitRemote } from "../codehost/codehost.ts";
import type { CatFile } from "../git/cat-file.ts";
import { GitError, runGit } from "../git/git.ts";
import { createBareRepository } from "./bare-repository.ts";
import { createHistory } from "./history.ts";
import { removeStaleLocks, STALE_LOCK_MS } from "./lock-files.ts";
import { createRemoteGit, isMissingOnRemote, type GitNetwork } from "./remote-git.ts";
import { createSerial } from "./serial.ts";
import type { BranchPush, Upstream } from "./upstream.ts";

/** Each fetch brings a pack, and each pack slows every lookup a little. */
const PACKS_MAX = 100;

/** Commits that a rebuilt mirror fetches again. */
const USED_MAX = 64;

/**
 * A repository behind a URL, mirrored in `gitDir`: shallow, and without blobs above `blobBytesMax`. Every commit that
 * was asked for is pinned under `refs/docent/bases/`. The mirror belongs to this process, and fetches go one at a time.
 */
export function createRemoteUpstream(dependencies: {
  gitDir: string;
  catFile: CatFile;
  remote: (access: "read" | "write") => Promise<GitRemote>;
  network: GitNetwork;
  blobBytesMax: number;
  now: () => number;
}): Upstream {
  const { gitDir, catFile, remote, network, now } = dependencies;
  const filter = `blob:limit=${dependencies.blobBytesMax + 1}`;
  const git = createRemoteGit(gitDir, remote, network);
  const historyDir = gitDir.replace(/\.git$/, ".history.git");
  const history = createHistory({ gitDir: historyDir, git: createRemoteGit(historyDir, remote, network) });
  const serial = createSerial();
  /** The commits asked for last: what jobs at work read from. */
  const used = new Set<string>();

  const has = async (commit: string) => (await catFile.info(commit)) !== undefined;

  async function fetchOnce(commit: string): Promise<void> {
    // Only fetches take this lock, and they go one at a time. Other locks may be a commit's that is being written.
    await rm(join(gitDir, "shallow.lock"), { force: true });
    await removeStaleLocks(gitDir, { ageMs: STALE_LOCK_MS, now: now() });
    const refspec = `+${commit}:refs/docent/bases/${commit}`;
    await git.run(["fetch", "--depth=1", "--no-tags", "--no-write-fetch-head", "--quiet", "origin", refspec], {
      filter,
    });
  }

  async function isHealthy(): Promise<boolean> {
    // With the promisor setting fsck takes the left-out blobs for what they are.
    const result = await git
      .run(["fsck", "--connectivity-only", "--no-dangling", "--no-progress"], { filter })
      .catch((error: unknown) => {
        if (error instanceof GitError) return undefined;
        throw error;
      });
    return result !== undefined;
  }

  async function replace(): Promise<void> {
    await createBareRepository(gitDir);
    catFile.restart();
    for (const commit of used) {
      await fetchOnce(commit).catch((error: unknown) => {
        if (!isMissingOnRemote(error)) throw error;
        used.delete(commit);
      });
    }
  }

  async function repackWhenMany(): Promise<void> {
    const files = await readdir(join(gitDir, "objects", "pack")).catch(() => []);
    if (files.filter((file) => file.endsWith(".pack")).length <= PACKS_MAX) return;
    await git.run(["repack", "-a", "-d", "-q"], { filter });
    await runGit(["pack-refs", "--all"], { gitDir });
    // Commits that were written here and pushed: the base branch has brought back what came of them.
    await git.run(["prune", "--expire=2.weeks.ago"], { filter });
  }

  /** Fetches unless a call before it did. A broken mirror is made anew, once. */
  function bring(commit: string): Promise<void> {
    return serial.run(async () => {
      used.delete(commit);
      used.add(commit);
      const [oldest] = used;
      if (used.size > USED_MAX && oldest !== undefined) used.delete(oldest);
      if (await has(commit)) return;
      try {
        await fetchOnce(commit);
      } catch (error) {
        if (isMissingOnRemote(error) || (await isHealthy())) {
          used.delete(commit);
          throw error;
        }
        await replace();
      }
      await repackWhenMany();
    });
  }

  async function pushOnce({ branch, commit, expected }: BranchPush): Promise<void> {
    const ref = `refs/heads/${branch}`;
    const args = ["push", "--no-verify", `--force-with-lease=${ref}:${expected ?? ""}`];
    const config = {
      // Without it git knows of the remote only its present branch heads, which a shallow mirror may not have, and
      // would then try to send the base commit with all its files, left-out blobs included.
      "push.negotiate": "true",
    };
    await git.run([...args, "origin", `${commit}:${ref}`], { access: "write", config });
  }

  return {
    async fetchBranch(branch) {
      for (let attempt = 1; ; attempt += 1) {
        const head = await git.head(branch);
        if (head === undefined) return undefined;
        try {
          await bring(head);
          return head;
        } catch (error) {
          // The branch moved on between the two requests, and what it was before is gone.
          if (attempt === 3 || !isMissingOnRemote(error)) throw error;
        }
      }
    },
    async fetchCommit(commit) {
      try {
        await bring(commit);
        return true;
      } catch (error) {
        if (isMissingOnRemote(error)) return false;
        throw error;
      }
    },
    async isAncestorOfAny(ancestor, descendants) {
      for (const descendant of descendants) {
        if (await history.isAncestor(ancestor, descendant)) return true;
      }
      return false;
    },
    async push(push) {
      try {
        await pushOnce(push);
        return "pushed";
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        if (((await git.head(push.branch)) ?? null) !== push.expected) return "rejected";
        throw error;
      }
    },
    rebuild: () => serial.run(replace),
  };
}
