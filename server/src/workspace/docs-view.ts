import { createMirrors } from "./mirror.ts";
import { openDocs } from "./docs/docs.ts";
import { findIntroducedProblems } from "./docs/introduced/introduced.ts";
import type { Problem } from "./docs/problem.ts";
import type { Tree } from "./tree.ts";

const BLOB_BYTES_MAX = 10_000_000;

/** The documentation of a commit, as its framework understands it, and compared with another one. */
export interface DocsView {
  problems: readonly Problem[];
  /** Those that the base did not have. */
  introduced: readonly Problem[];
  /** Whether the navigation names this page. Where folders make it, it names none. */
  inNavigation(path: string): Promise<boolean>;
  /** Ends the process of git that reads for it. */
  close(): Promise<void>;
}

/**
 * Looks at two commits of a repository on this machine with the checks that jobs are held to.
 * @param options.docsPath folder of the documentation; found by itself when undefined
 */
export async function viewDocs(options: {
  gitDir: string;
  base: string;
  result: string;
  docsPath: string | undefined;
}): Promise<DocsView> {
  const { gitDir, docsPath } = options;
  const mirrors = createMirrors({ directory: gitDir, blobBytesMax: BLOB_BYTES_MAX });
  try {
    const mirror = await mirrors.open(gitDir, () => Promise.resolve({ url: "http://localhost/", directory: gitDir }));
    const openTree = async (commit: string): Promise<Tree> => {
      const entries = await mirror.entries(commit);
      const oids = new Map(entries.map(({ path, mode, oid }) => [path, mode === "160000" ? undefined : oid]));
      return {
        list: () => Promise.resolve(entries),
        async read(path) {
          const oid = oids.get(path);
          return oid === undefined ? undefined : mirror.read(oid);
        },
      };
    };
    const [before, after] = [await openTree(options.base), await openTree(options.result)];
    const docs = await openDocs(after, docsPath === undefined ? {} : { docsPath });
    const problems = await docs.check();
    const introduced = await findIntroducedProblems({ before, after, docsPath });
    return {
      problems,
      introduced,
      inNavigation: async (path) => (await docs.removeFromNavigation(path)).length > 0,
      close: () => mirrors.close(),
    };
  } catch (error) {
    await mirrors.close();
    throw error;
  }
}
