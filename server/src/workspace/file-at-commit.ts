import type { Mirror } from "./mirror.ts";
import { createPathIndex } from "./rules/path-index.ts";
import type { FileMode } from "./tree.ts";

export interface FileAtCommit {
  mode: FileMode;
  /** Null when it was left out of the mirror. */
  content: Uint8Array | null;
}

/** A file as a commit has it; undefined when it has none at this path. */
export async function readFileAt(mirror: Mirror, commit: string, path: string): Promise<FileAtCommit | undefined> {
  const entry = createPathIndex(await mirror.entries(commit), new Map()).base(path);
  if (entry === undefined) return undefined;
  const isRead = entry.mode !== "160000" && entry.bytes <= mirror.blobBytesMax;
  return { mode: entry.mode, content: isRead ? ((await mirror.read(entry.oid)) ?? null) : null };
}
