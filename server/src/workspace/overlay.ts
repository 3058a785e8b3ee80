import type { FileChange, TreeEntry } from "./tree.ts";

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

/** The changes that lie over a tree. A file that is back to what the tree has is no change any more. */
export interface Overlay {
  /** By path; changes with every `set`. */
  readonly changes: ReadonlyMap<string, FileChange>;
  set(change: FileChange): void;
  /** The tree's files with the changes, sorted by path. */
  list(): readonly TreeEntry[];
  sorted(): FileChange[];
  /** What was set since the last call, the last of each path, sorted by path. */
  takeUnsaved(): FileChange[];
}

/** `entries` is the tree's listing, sorted by path. `saved` was set before and is not unsaved. */
export function createOverlay(options: {
  entries: readonly TreeEntry[];
  saved: readonly FileChange[];
  oidOf: (content: Uint8Array) => string;
}): Overlay {
  const { entries, oidOf } = options;
  const changes = new Map<string, FileChange>();
  const oids = new Map<string, string>();
  let unsaved = new Map<string, FileChange>();
  let listed: readonly TreeEntry[] | undefined;

  function findBase(path: string): TreeEntry | undefined {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries[middle]?.path ?? "") < path) low = middle + 1;
      else high = middle;
    }
    return entries[low]?.path === path ? entries[low] : undefined;
  }

  function put(change: FileChange): void {
    const base = findBase(change.path);
    const oid = change.content === null ? undefined : oidOf(change.content);
    const isBack = oid === undefined ? base === undefined : base?.oid === oid && base.mode === change.mode;
    if (isBack) {
      changes.delete(change.path);
      oids.delete(change.path);
    } else {
      changes.set(change.path, change);
      if (oid !== undefined) oids.set(change.path, oid);
    }
    listed = undefined;
  }

  function makeList(): readonly TreeEntry[] {
    if (changes.size === 0) return entries;
    const kept = entries.filter((entry) => !changes.has(entry.path));
    for (const { path, mode, content } of changes.values()) {
      if (content !== null) kept.push({ path, mode, oid: oids.get(path) ?? oidOf(content), bytes: content.length });
    }
    return kept.sort(byPath);
  }

  for (const change of options.saved) put(change);
  return {
    changes,
    set(change) {
      put(change);
      unsaved.set(change.path, change);
    },
    list() {
      listed ??= makeList();
      return listed;
    },
    sorted: () => [...changes.values()].sort(byPath),
    takeUnsaved() {
      const taken = [...unsaved.values()].sort(byPath);
      unsaved = new Map();
      return taken;
    },
  };
}
