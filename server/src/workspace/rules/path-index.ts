import type { FileChange, FileMode, TreeEntry } from "../tree.ts";

/** What stands where in a tree with changes over it. */
export interface PathIndex {
  /** The file's mode with the changes; undefined when there is no file. */
  mode(path: string): FileMode | undefined;
  /** The file without the changes. */
  base(path: string): TreeEntry | undefined;
  isFolder(path: string): boolean;
  /** A file or folder that some systems take for the same as `path` or one of its folders, though its name differs. */
  colliding(path: string): string | undefined;
  /** Whether some file without the changes has exactly this content. */
  hasContent(oid: string): boolean;
}

/** macOS and Windows compare names without case; macOS also without accents' composition. */
const fold = (path: string) =>
  ASCII.test(path) ? path.toUpperCase() : path.normalize("NFKC").toLowerCase().toUpperCase().normalize("NFC");
const ASCII = /^[ -~]*$/;

function* withFolders(path: string): Generator<string> {
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) yield path.slice(0, slash);
  yield path;
}

function buildIndex(entries: readonly TreeEntry[]) {
  const files = new Map(entries.map((entry) => [entry.path, entry]));
  const folders = new Set<string>();
  const folded = new Map<string, string[]>();
  const contents = new Set<string>();
  for (const entry of entries) {
    contents.add(entry.oid);
    for (const name of withFolders(entry.path)) {
      if (name !== entry.path) {
        if (folders.has(name)) continue;
        folders.add(name);
      }
      const key = fold(name);
      const same = folded.get(key);
      if (same === undefined) folded.set(key, [name]);
      else same.push(name);
    }
  }
  return { files, folders, folded, contents };
}

/** Indexes by listing: jobs on the same commit share the mirror's listing, and so this. */
const built = new WeakMap<readonly TreeEntry[], ReturnType<typeof buildIndex>>();

/** The index of a tree; `changes` (by path) lie over it and are read at each call. */
export function createPathIndex(entries: readonly TreeEntry[], changes: ReadonlyMap<string, FileChange>): PathIndex {
  const index = () => {
    const found = built.get(entries) ?? buildIndex(entries);
    built.set(entries, found);
    return found;
  };
  const isDeleted = (path: string) => changes.get(path)?.content === null;
  const written = () => [...changes.values()].filter((change) => change.content !== null);
  const folderLives = (folder: string) => {
    if (written().some((change) => change.path.startsWith(`${folder}/`))) return true;
    if (!index().folders.has(folder)) return false;
    // Only a folder that lost files can be empty.
    if (![...changes.values()].some((change) => change.content === null && change.path.startsWith(`${folder}/`)))
      return true;
    return entries.some((entry) => entry.path.startsWith(`${folder}/`) && !isDeleted(entry.path));
  };
  const fileLives = (path: string) => {
    const change = changes.get(path);
    return change === undefined ? index().files.has(path) : change.content !== null;
  };

  return {
    mode(path) {
      const change = changes.get(path);
      if (change === undefined) return index().files.get(path)?.mode;
      return change.content === null ? undefined : change.mode;
    },
    base: (path) => index().files.get(path),
    isFolder: folderLives,
    colliding(path) {
      for (const name of withFolders(path)) {
        const key = fold(name);
        for (const other of index().folded.get(key) ?? []) {
          if (other !== name && (fileLives(other) || folderLives(other))) return other;
        }
        for (const change of written()) {
          for (const other of withFolders(change.path)) if (other !== name && fold(other) === key) return other;
        }
      }
      return undefined;
    },
    hasContent: (oid) => index().contents.has(oid),
  };
}
