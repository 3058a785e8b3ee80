import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GitRemote } from "../codehost/codehost.ts";
import { createCatFile, type CatFile } from "../git/cat-file.ts";
import { GitError, runGit } from "../git/git.ts";
import { createObjectWriter, objectFormatOf } from "../git/object-writer.ts";
import { frontier } from "./ancestry.ts";
import { createBareRepository } from "./bare-repository.ts";
import { isBranchName } from "./branch-name.ts";
import { writeCommit, type CommitContent } from "./commit.ts";
import { createLocalUpstream } from "./local-upstream.ts";
import { removeStaleLocks, STALE_LOCK_MS } from "./lock-files.ts";
import { createRecent } from "./recent.ts";
import type { GitNetwork } from "./remote-git.ts";
import { createRemoteUpstream } from "./remote-upstream.ts";
import type { TreeEntry } from "./tree.ts";
import { listTree } from "./tree-listing.ts";
import type { BranchPush, Upstream } from "./upstream.ts";

/** Listings kept per mirror: the bases of the jobs at work. 5,000 files take about 1 MB. */
const LISTINGS_MAX = 16;

/** One repository's objects on this machine, used by all jobs on it at once. */
export interface Mirror {
  /** The bare repository. */
  readonly directory: string;
  /** Content above this many bytes may be missing. */
  readonly blobBytesMax: number;
  /**
   * The commit that the branch has on its code host now, ready to be read; null stands for the repository's own branch.
   * Undefined when there is no such branch.
   */
  fetchBranch(branch: string | null): Promise<string | undefined>;
  /**
   * All files of a commit, sorted by path. Fetches the commit when it is not here.
   * @throws GitError when the code host no longer has it.
   */
  entries(commit: string): Promise<readonly TreeEntry[]>;
  /** A file's content, or undefined when it was left out of the mirror. */
  read(oid: string): Promise<Uint8Array | undefined>;
  /** Whether `descendant` is `ancestor` or comes after it. */
  isAncestor(ancestor: string, descendant: string): Promise<boolean>;
  /**
   * Fast-forwards a branch on the code host from `expected` (null: it does not exist yet) to `commit`. "pushed" also
   * when the branch already is at that commit or beyond it; "moved" when it is anywhere else.
   * @throws GitError for every other failure, e.g. a protected branch; its message holds what the code host said.
   */
  push(push: BranchPush): Promise<"pushed" | "moved">;
  /**
   * Writes a commit. The same content gives the same commit on every machine. `objectsDirectory`: where new objects go
   * for the moment, instead of into the mirror for good.
   */
  commit(content: CommitContent, objectsDirectory?: string): Promise<string>;
}

type RemoteOf = (access: "read" | "write") => Promise<GitRemote>;

export interface Mirrors {
  /**
   * The mirror of one repository; `key` names it, e.g. `github:owner/name`. `remote` is asked before every operation
   * that talks to the code host, so that credentials can be short-lived.
   */
  open(key: string, remote: RemoteOf): Promise<Mirror>;
  close(): Promise<void>;
}

/**
 * Keeps mirrors under `directory`, which belongs to one process at a time. A repository that lies on this machine
 * (`remote.directory`) is used in place.
 */
export function createMirrors(options: {
  directory: string;
  blobBytesMax: number;
  /** How git reaches repositories that are not on this machine; directly when absent. */
  network?: GitNetwork;
  clock?: () => number;
}): Mirrors {
  const now = options.clock ?? Date.now;
  const network = options.network ?? (() => ({}));
  const { blobBytesMax } = options;
  const opened = new Map<string, { mirror: Promise<Mirror>; remote: RemoteOf }>();
  const catFiles = new Set<CatFile>();

  async function create(key: string, remote: RemoteOf): Promise<Mirror> {
    const { directory } = await remote("read");
    const name = `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.git`;
    const gitDir = directory ?? join(options.directory, name);
    if (directory === undefined && !(await isRepository(gitDir))) await createBareRepository(gitDir);
    await removeStaleLocks(gitDir, { ageMs: directory === undefined ? 0 : STALE_LOCK_MS, now: now() + 1 });
    const catFile = createCatFile({ gitDir });
    catFiles.add(catFile);
    const upstream =
      directory === undefined
        ? createRemoteUpstream({ gitDir, catFile, remote, network, blobBytesMax, now })
        : createLocalUpstream({ gitDir, catFile, now });
    return createMirror({ gitDir, catFile, upstream, blobBytesMax });
  }

  return {
    open(key, remote) {
      const found = opened.get(key);
      if (found !== undefined) {
        found.remote = remote;
        return found.mirror;
      }
      // Later operations ask whoever opened it last: a project's credentials may have changed since the first.
      const mirror = create(key, (access) => (opened.get(key)?.remote ?? remote)(access));
      mirror.catch(() => opened.delete(key));
      opened.set(key, { mirror, remote });
      return mirror;
    },
    async close() {
      await Promise.allSettled([...opened.values()].map((entry) => entry.mirror));
      for (const catFile of catFiles) catFile.close();
      opened.clear();
    },
  };
}

async function isRepository(gitDir: string): Promise<boolean> {
  if (!existsSync(join(gitDir, "HEAD"))) return false;
  const result = await runGit(["rev-parse", "--git-dir"], { gitDir, okExitCodes: [0, 128] });
  return result.exitCode === 0;
}

function createMirror(dependencies: {
  gitDir: string;
  catFile: CatFile;
  upstream: Upstream;
  blobBytesMax: number;
}): Mirror {
  const { gitDir, catFile, upstream, blobBytesMax } = dependencies;
  async function ensure(commit: string): Promise<void> {
    if ((await catFile.info(commit)) !== undefined || (await upstream.fetchCommit(commit))) return;
    throw new GitError("fetch", null, `the commit ${commit} is not in the repository any more`);
  }

  /** Runs a reading task again on a rebuilt mirror when git finds its objects broken. */
  async function withRecovery<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof GitError) || upstream.rebuild === undefined) throw error;
      await upstream.rebuild();
      return task();
    }
  }

  const listings = createRecent(LISTINGS_MAX, async (commit: string): Promise<readonly TreeEntry[]> => {
    await ensure(commit);
    return withRecovery(() => listTree(gitDir, commit, blobBytesMax + 1));
  });

  async function isAncestor(ancestor: string, descendant: string): Promise<boolean> {
    if (ancestor === descendant) return true;
    const known = await frontier(catFile, ancestor, descendant);
    return known === "reached" || upstream.isAncestorOfAny(ancestor, known);
  }

  function checkBranch(branch: string): void {
    if (!isBranchName(branch))
      throw new GitError("check-ref-format", null, `${JSON.stringify(branch)} is no branch name`);
  }

  return {
    directory: gitDir,
    blobBytesMax,
    async fetchBranch(branch) {
      if (branch !== null) checkBranch(branch);
      return upstream.fetchBranch(branch);
    },
    entries: (commit) => listings.get(commit),
    async read(oid) {
      return withRecovery(async () => (await catFile.read(oid))?.bytes);
    },
    isAncestor,
    async push(push) {
      checkBranch(push.branch);
      if (push.expected !== null && !(await isAncestor(push.expected, push.commit))) {
        throw new GitError(
          "push",
          null,
          `${push.commit} does not come after ${push.expected}: only fast-forwards are pushed`,
        );
      }
      if ((await upstream.push(push)) === "rejected") {
        const head = await upstream.fetchBranch(push.branch);
        if (head === undefined || !(await isAncestor(push.commit, head))) return "moved";
      }
      return "pushed";
    },
    async commit(content, objectsDirectory) {
      await ensure(content.parent);
      const format = objectFormatOf(content.parent);
      const objects = createObjectWriter({
        directory: objectsDirectory ?? join(gitDir, "objects"),
        format,
        durable: objectsDirectory === undefined,
      });
      return writeCommit({ catFile, objects }, content);
    },
  };
}
