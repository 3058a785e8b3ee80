import type { FileChange, FileMode, Tree } from "./tree.ts";
import type { Docs, Refusal } from "./docs/docs.ts";

export interface SearchMatch {
  path: string;
  /** 1-based. */
  line: number;
  text: string;
}

/** What may be changed and published, per project. */
export interface PublishRules {
  docsPath?: string;
  /** More path globs that the project allows, beside pages, navigation files and images. */
  allow: readonly string[];
  filesMax: number;
  bytesMax: number;
}

/**
 * A documentation tree at a commit plus the job's changes. Every write is checked against the publishing rules at
 * once, so that the model sees a refusal where it happens. Nothing touches a checkout.
 */
export interface Workspace extends Tree {
  readonly baseCommit: string;
  readonly docs: () => Promise<Docs>;
  /** Replaces or creates a file. Text and image bytes alike; EOL, BOM and final newline are the caller's. */
  write(path: string, content: Uint8Array, mode?: FileMode): Promise<Refusal | undefined>;
  remove(path: string): Promise<Refusal | undefined>;
  /** Lines matching a Perl-compatible regular expression (or a literal), in text files, in path order. */
  search(query: {
    pattern: string;
    literal?: boolean;
    ignoreCase?: boolean;
    glob?: string;
    matchesMax: number;
    signal?: AbortSignal;
  }): Promise<{ matches: SearchMatch[]; more: boolean } | Refusal>;
  /** All changes against the base commit, sorted by path. A file that is back to its base is not among them. */
  changes(): Promise<FileChange[]>;
  /** The changes made since the last call: what one tool call must persist. Reverted files come as their base content. */
  takeUnsaved(): FileChange[];
}
