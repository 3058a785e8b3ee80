import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runGit } from "../git/git.ts";
import type { Mirror } from "./mirror.ts";
import { blobId } from "./object-id.ts";
import { createPathIndex } from "./rules/path-index.ts";
import { decodeText } from "./text.ts";
import type { FileChange, TreeEntry } from "./tree.ts";

/**
 * Carries changes made on one commit over to another: files that only one side changed as they are, files that both
 * changed merged line by line. `conflicts` are the paths where that was not possible, sorted; the result holds no
 * change for them, so that the file stays as it is at `to`. Changes that `to` already has are left out.
 */
export async function rebaseChanges(options: {
  mirror: Mirror;
  from: string;
  to: string;
  changes: readonly FileChange[];
}): Promise<{ changes: FileChange[]; conflicts: string[] }> {
  const { mirror, from, to } = options;
  const before = createPathIndex(await mirror.entries(from), new Map());
  const after = createPathIndex(await mirror.entries(to), new Map());
  const changes: FileChange[] = [];
  const conflicts: string[] = [];
  for (const change of options.changes) {
    const theirs = after.base(change.path);
    const oid = change.content === null ? undefined : blobId(change.content, to);
    // Both sides came to the same.
    if (oid === theirs?.oid && (theirs === undefined || theirs.mode === change.mode)) continue;
    const base = before.base(change.path);
    const isTheirsUnchanged = base?.oid === theirs?.oid && base?.mode === theirs?.mode;
    const rebased = isTheirsUnchanged ? change : await mergeFile(mirror, base, theirs, change);
    if (rebased === undefined || (rebased.content !== null && isBlocked(after, rebased.path, options.changes))) {
      conflicts.push(change.path);
    } else if (
      rebased.content === null ||
      blobId(rebased.content, to) !== theirs?.oid ||
      theirs.mode !== rebased.mode
    ) {
      changes.push(rebased);
    }
  }
  return { changes, conflicts: conflicts.sort() };
}

/** Whether `to` has a file where this path needs a folder, or a folder where it is a file. */
function isBlocked(after: ReturnType<typeof createPathIndex>, path: string, changes: readonly FileChange[]): boolean {
  const removed = new Set(changes.filter((change) => change.content === null).map((change) => change.path));
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    const parent = path.slice(0, slash);
    if (after.base(parent) !== undefined && !removed.has(parent)) return true;
  }
  return after.isFolder(path);
}

async function mergeFile(
  mirror: Mirror,
  base: TreeEntry | undefined,
  theirs: TreeEntry | undefined,
  change: FileChange,
): Promise<FileChange | undefined> {
  // One side deleted what the other changed, or both added it: nothing to merge on.
  if (change.content === null || base === undefined || theirs === undefined) return undefined;
  if (base.mode !== theirs.mode || change.mode !== theirs.mode || change.mode !== "100644") return undefined;
  const baseContent = await mirror.read(base.oid);
  const theirContent = await mirror.read(theirs.oid);
  if (baseContent === undefined || theirContent === undefined) return undefined;
  if ([baseContent, theirContent, change.content].some((content) => "refused" in decodeText(content))) return undefined;
  const content = await mergeContents(change.content, baseContent, theirContent);
  return content === undefined ? undefined : { ...change, content };
}

async function mergeContents(ours: Uint8Array, base: Uint8Array, theirs: Uint8Array): Promise<Uint8Array | undefined> {
  const directory = await mkdtemp(join(tmpdir(), "docent-merge-"));
  try {
    const paths = ["ours", "base", "theirs"].map((name) => join(directory, name));
    for (const [index, content] of [ours, base, theirs].entries()) await writeFile(paths[index] ?? "", content);
    // The exit code is the number of conflicts, at most 127; errors are 255.
    const okExitCodes = Array.from({ length: 128 }, (_, code) => code);
    const result = await runGit(["merge-file", "-p", "-q", ...paths], { okExitCodes });
    return result.exitCode === 0 ? new Uint8Array(result.stdout) : undefined;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
