import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { FileChange, Tree } from "../tree.ts";

export type MemoryFiles = Map<string, Uint8Array>;

/** A tree of files in memory, with git's object ids, for tests. */
export function createMemoryTree(files: MemoryFiles): Tree {
  return {
    list: () =>
      Promise.resolve(
        [...files]
          .map(([path, content]) => ({
            path,
            mode: "100644" as const,
            oid: createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex"),
            bytes: content.length,
          }))
          .sort((left, right) => (left.path < right.path ? -1 : 1)),
      ),
    read: (path) => Promise.resolve(files.get(path)),
  };
}

export function filesOf(texts: Readonly<Record<string, string>>): MemoryFiles {
  return new Map(Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]));
}

export function treeOf(texts: Readonly<Record<string, string>>): Tree {
  return createMemoryTree(filesOf(texts));
}

/** All files under a folder on disk. */
export function readFolder(folder: string): MemoryFiles {
  const files: MemoryFiles = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(folder, path).split(sep).join("/"), readFileSync(path));
  }
  return files;
}

export function applyChanges(files: MemoryFiles, changes: readonly FileChange[]): MemoryFiles {
  const result = new Map(files);
  for (const { path, content } of changes) {
    if (content === null) result.delete(path);
    else result.set(path, content);
  }
  return result;
}

export function textAt(files: MemoryFiles, path: string): string | undefined {
  const content = files.get(path);
  return content === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
}
