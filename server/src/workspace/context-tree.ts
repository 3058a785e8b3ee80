import { matchPathGlob } from "./path-glob.ts";
import type { Mirror } from "./mirror.ts";
import type { Refusal } from "./refusal.ts";
import { searchCommit, type SearchMatch } from "./search.ts";
import type { Tree } from "./tree.ts";

const SEARCH_MS_MAX = 5000;

/** Another repository at a commit, which can be read and searched, and has nothing to write with. */
export interface ContextTree extends Tree {
  readonly commit: string;
  /** As a workspace's search; paths and glob are the repository's own. */
  search(query: {
    pattern: string;
    literal?: boolean;
    ignoreCase?: boolean;
    glob?: string;
    matchesMax: number;
    signal?: AbortSignal;
  }): Promise<{ matches: SearchMatch[]; more: boolean } | Refusal>;
}

/**
 * Opens a repository at a commit of its mirror for reading alone.
 * @throws GitError when the code host no longer has the commit.
 */
export async function openContextTree({ mirror, commit }: { mirror: Mirror; commit: string }): Promise<ContextTree> {
  const entries = await mirror.entries(commit);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return {
    commit,
    list: async () => entries,
    async read(path) {
      const entry = byPath.get(path);
      if (entry === undefined || entry.mode === "160000" || entry.bytes > mirror.blobBytesMax) return undefined;
      return mirror.read(entry.oid);
    },
    async search({ glob, ...query }) {
      const accepted = glob === undefined ? undefined : matchPathGlob([...byPath.keys()], glob);
      if (accepted !== undefined && "refused" in accepted) return accepted;
      return searchCommit(mirror.directory, commit, {
        ...query,
        msMax: SEARCH_MS_MAX,
        ...(accepted === undefined ? {} : { accepts: (path: string) => accepted.has(path) }),
      });
    },
  };
}
