import { GitError, runGit } from "../../git/git.ts";
import { readRefs } from "./refs.ts";

const RACES_MAX = 5;

/** What a merge of two commits would be: its tree, or the files where they cannot be put together. */
export type MergeTree = { tree: string } | { conflicts: string[] };

/** Merges without a checkout. Writes the tree's objects, moves nothing. Output format: git-merge-tree(1), `-z`. */
export async function mergeTree(gitDir: string, base: string, head: string): Promise<MergeTree> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--allow-unrelated-histories", "-z", base, head];
  const { stdout, exitCode } = await runGit(args, { gitDir, okExitCodes: [0, 1] });
  const [tree = "", ...paths] = stdout.toString("utf8").split("\0");
  return exitCode === 0 ? { tree } : { conflicts: paths.slice(0, paths.indexOf("")) };
}

export interface MergeRequest {
  headBranch: string;
  baseBranch: string;
  /** What the person saw; the branch must still be there. Absent: whatever it is now. */
  expectedHead: string | undefined;
  message: string;
  author: { name: string; email: string };
  now: Date;
}

/** `base` is what the base branch was before. */
export type MergeResult = { commit: string; base: string; head: string } | { refused: string };

function conflictSentence(baseBranch: string, files: readonly string[]): string {
  const named = files.slice(0, 10).join(", ");
  const more = files.length > 10 ? ` and ${files.length - 10} more` : "";
  return `It conflicts with ${baseBranch} in ${named}${more}. Merge ${baseBranch} into the branch, resolve the conflicts and push.`;
}

/**
 * Makes a merge commit and moves the base branch to it, if the base branch is still where it was; else tries again.
 * Dying between that and the caller's own record is safe: the head is then an ancestor of the base, and says so.
 */
export async function mergeBranch(gitDir: string, request: MergeRequest): Promise<MergeResult> {
  const baseRef = `refs/heads/${request.baseBranch}`;
  const headRef = `refs/heads/${request.headBranch}`;
  const date = `${Math.floor(request.now.getTime() / 1000)} +0000`;
  const { name, email } = request.author;
  for (let attempt = 1; ; attempt++) {
    const refs = await readRefs(gitDir, [baseRef, headRef]);
    const base = refs.get(baseRef);
    const head = refs.get(headRef);
    if (base === undefined) return { refused: `The branch ${request.baseBranch} does not exist any more.` };
    if (head === undefined) return { refused: `The branch ${request.headBranch} does not exist any more.` };
    if (request.expectedHead !== undefined && request.expectedHead !== head) {
      return { refused: "The branch has changed since you looked at it. Read the new changes, then merge." };
    }
    const merged = await mergeTree(gitDir, base, head);
    if ("conflicts" in merged) return { refused: conflictSentence(request.baseBranch, merged.conflicts) };
    const { stdout } = await runGit(["commit-tree", merged.tree, "-p", base, "-p", head, "-F", "-"], {
      gitDir,
      stdin: request.message,
      env: {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
        GIT_COMMITTER_DATE: date,
      },
    });
    const commit = stdout.toString("utf8").trim();
    try {
      await runGit(["update-ref", baseRef, commit, base], { gitDir });
      return { commit, base, head };
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (attempt === RACES_MAX) {
        return { refused: `The branch ${request.baseBranch} keeps changing at this moment. Merge again.` };
      }
    }
  }
}
