import { runGit } from "../git/git.ts";
import type { FileMode, TreeEntry } from "./tree.ts";

const FILE_MODES: readonly string[] = ["100644", "100755", "120000", "160000"] satisfies FileMode[];

function isFileMode(mode: string | undefined): mode is FileMode {
  return mode !== undefined && FILE_MODES.includes(mode);
}

function toFileMode(mode: string | undefined): FileMode {
  // Old repositories hold group-writable files (100664), which git treats as plain ones.
  return isFileMode(mode) ? mode : "100644";
}

/**
 * All files of a commit's tree, sorted by path. Content that the mirror left out has no known size and is given as
 * `bytesWhenLeftOut`.
 * @throws GitError when the commit or one of its trees is missing or broken.
 */
export async function listTree(gitDir: string, commit: string, bytesWhenLeftOut: number): Promise<TreeEntry[]> {
  const result = await runGit(["ls-tree", "-r", "-z", "-l", "--full-tree", commit], { gitDir });
  const entries: TreeEntry[] = [];
  // One record: <mode> SP <type> SP <oid> SP <size, padded> TAB <path> NUL. The size is "-" for a submodule and
  // "BAD" for a missing blob.
  for (const record of result.stdout.toString("utf8").split("\0")) {
    const tab = record.indexOf("\t");
    if (tab === -1) continue;
    const [mode, , oid, size] = record.slice(0, tab).split(/ +/);
    if (oid === undefined) continue;
    const bytes = size === "-" ? 0 : size === "BAD" ? bytesWhenLeftOut : Number(size);
    entries.push({ path: record.slice(tab + 1), mode: toFileMode(mode), oid, bytes });
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
