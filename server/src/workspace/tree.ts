/** Git's file modes: file, executable, symbolic link, submodule. */
export type FileMode = "100644" | "100755" | "120000" | "160000";

export interface TreeEntry {
  /** Path from the root of the repository, `/` between its parts. */
  path: string;
  mode: FileMode;
  /** Git's object id of the content: the same id is the same bytes, so facts derived from them can be kept by it. */
  oid: string;
  /** Size of the content. 0 for a submodule. */
  bytes: number;
}

/** A documentation repository's files at one moment, as the docs checks read them. */
export interface Tree {
  /** All files, sorted by path. */
  list(): Promise<readonly TreeEntry[]>;
  /** The file's bytes, or undefined when there is no such file or its content was left out of the mirror. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** One changed file. `content` null: the file is deleted. */
export interface FileChange {
  path: string;
  mode: FileMode;
  content: Uint8Array | null;
}
