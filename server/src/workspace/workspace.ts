import { openDocs, type Docs } from "./docs/docs.ts";
import type { Refusal } from "./refusal.ts";
import { createOverlay } from "./overlay.ts";
import type { Mirror } from "./mirror.ts";
import { blobId } from "./object-id.ts";
import { matchPathGlob } from "./path-glob.ts";
import { createChangeRules, isBinaryImage, type ChangeRules, type PublishRules } from "./rules.ts";
import { createPathIndex } from "./rules/path-index.ts";
import { withScratchObjects } from "./scratch-objects.ts";
import { searchCommit, type SearchMatch } from "./search.ts";
import { decodeText, isLfsPointer } from "./text.ts";
import type { FileChange, FileMode, Tree } from "./tree.ts";

const SEARCH_MS_MAX = 5000;

/**
 * A documentation tree at a commit plus the job's changes. Every write is checked against the publishing rules at
 * once, so that the model sees a refusal where it happens. Nothing touches a checkout.
 */
export interface Workspace extends Tree {
  readonly baseCommit: string;
  readonly rules: PublishRules;
  /** The tree at the base commit, without the changes. */
  readonly base: Tree;
  readonly docs: () => Promise<Docs>;
  /** Why the rules refuse this change, undefined when they do not. Changes nothing. */
  check(change: FileChange): Promise<Refusal | undefined>;
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

/**
 * Opens the tree at a commit with the changes that a job saved before, the last one of each path counting.
 * @throws GitError when the code host no longer has the commit.
 */
export async function openWorkspace(options: {
  mirror: Mirror;
  baseCommit: string;
  rules: PublishRules;
  saved: readonly FileChange[];
}): Promise<Workspace> {
  const { mirror, baseCommit, rules } = options;
  const entries = await mirror.entries(baseCommit);
  const overlay = createOverlay({ entries, saved: options.saved, oidOf: (content) => blobId(content, baseCommit) });
  const index = createPathIndex(entries, overlay.changes);
  const docsOptions = rules.docsPath === undefined ? {} : { docsPath: rules.docsPath };
  let changeRules: Promise<ChangeRules> | undefined;
  let docs: Promise<Docs> | undefined;
  let baseDocs: Promise<Docs> | undefined;

  async function readBase(path: string): Promise<Uint8Array | undefined> {
    const entry = index.base(path);
    if (entry === undefined || entry.mode === "160000" || entry.bytes > mirror.blobBytesMax) return undefined;
    return mirror.read(entry.oid);
  }

  const base: Tree = { list: async () => entries, read: readBase };

  /** The docs at the base commit decide what is documentation: a job cannot widen its own rules. */
  function openBaseDocs(): Promise<Docs> {
    baseDocs ??= openDocs(base, docsOptions);
    return baseDocs;
  }

  async function openRules(): Promise<ChangeRules> {
    const docsAtBase = await openBaseDocs();
    return createChangeRules(rules, {
      docsPath: docsAtBase.docsPath,
      isNavigationFile: (path) => docsAtBase.isNavigationFile(path),
      isConfiguration: (path) => docsAtBase.isConfiguration(path),
      index,
      oidOf: (content) => blobId(content, baseCommit),
    });
  }

  /** Of a file that configures the site, only the navigation and the redirects may change. */
  async function configurationDefect({ path, content }: FileChange): Promise<string | undefined> {
    const docsAtBase = await openBaseDocs();
    if (!docsAtBase.isConfiguration(path)) return undefined;
    const defect = docsAtBase.configurationDefect(path, await readBase(path), content);
    return defect === undefined ? undefined : `${path} may not be changed here: ${defect}`;
  }

  /** Files that pass through untouched: their content cannot be edited, only moved or deleted. */
  async function replacedDefect(change: FileChange): Promise<string | undefined> {
    const entry = index.base(change.path);
    if (change.content === null || entry === undefined || entry.oid === blobId(change.content, baseCommit))
      return undefined;
    if (isBinaryImage(change.path) && entry.bytes > 1024) return undefined;
    const content = await readBase(change.path);
    if (content === undefined) {
      return `${change.path} is larger than ${mirror.blobBytesMax} bytes, the most that can be edited.`;
    }
    if (isBinaryImage(change.path)) {
      return isLfsPointer(content) ? `${change.path} is kept in Git LFS, so it cannot be replaced here.` : undefined;
    }
    const decoded = decodeText(content);
    return "refused" in decoded ? `${change.path} cannot be edited. ${decoded.refused}` : undefined;
  }

  async function check(change: FileChange): Promise<Refusal | undefined> {
    changeRules ??= openRules();
    const refusal = (await changeRules).check(change);
    if (refusal !== undefined) return refusal;
    const refused = (await configurationDefect(change)) ?? (await replacedDefect(change));
    return refused === undefined ? undefined : { refused };
  }

  async function apply(change: FileChange): Promise<Refusal | undefined> {
    const refusal = await check(change);
    if (refusal !== undefined) return refusal;
    overlay.set(change);
    // Pages do not decide which framework it is, so only other files make it look again.
    if (!/\.mdx?$/i.test(change.path)) docs = undefined;
    return undefined;
  }

  const workspace: Workspace = {
    baseCommit,
    rules,
    base,
    list: async () => overlay.list(),
    async read(path) {
      const change = overlay.changes.get(path);
      return change === undefined ? readBase(path) : (change.content ?? undefined);
    },
    docs() {
      docs ??= openDocs(workspace, docsOptions);
      return docs;
    },
    check,
    write: (path, content, mode) => apply({ path, mode: mode ?? index.mode(path) ?? "100644", content }),
    async remove(path) {
      const mode = index.mode(path);
      if (mode === undefined) {
        return {
          refused: index.isFolder(path)
            ? `${path} is a folder. Delete its files one by one.`
            : `There is no file ${path}.`,
        };
      }
      return apply({ path, mode, content: null });
    },
    async search({ glob, ...query }) {
      const accepted =
        glob === undefined
          ? undefined
          : matchPathGlob(
              overlay.list().map((entry) => entry.path),
              glob,
            );
      if (accepted !== undefined && "refused" in accepted) return accepted;
      const search = (commit: string, env: Readonly<Record<string, string>>) =>
        searchCommit(mirror.directory, commit, {
          ...query,
          env,
          msMax: SEARCH_MS_MAX,
          ...(accepted === undefined ? {} : { accepts: (path: string) => accepted.has(path) }),
        });
      const changes = overlay.sorted();
      if (changes.length === 0) return search(baseCommit, {});
      return withScratchObjects(mirror.directory, async (objectsDirectory, env) => {
        const content = {
          parent: baseCommit,
          changes,
          message: "",
          author: { name: "", email: "" },
          date: new Date(0),
        };
        return search(await mirror.commit(content, objectsDirectory), env);
      });
    },
    changes: async () => overlay.sorted(),
    takeUnsaved: () => overlay.takeUnsaved(),
  };
  return workspace;
}
