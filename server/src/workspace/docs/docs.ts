import { setImmediate } from "node:timers/promises";
import type { Refusal } from "../refusal.ts";
import type { FileChange, Tree, TreeEntry } from "../tree.ts";
import { byPlace, checkPage } from "./check-links.ts";
import { configurationDefect, partsAsScript } from "./config/configuration-parts.ts";
import { newScriptCode } from "./config/script-code.ts";
import { createDocsFiles, type DocsFiles } from "./docs-files.ts";
import { findFramework, withoutOuterSlashes } from "./find-framework.ts";
import type { FrameworkName } from "./framework/framework-name.ts";
import type { NavigationPlace, Site } from "./framework/framework.ts";
import { inboundLinks } from "./inbound-links.ts";
import { findNewCode } from "./new-code.ts";
import { changesOf, destinationOf, planMove, type PageMove } from "./move-page.ts";
import { parsing } from "./parser/parsing.ts";
import { isUnder } from "./paths.ts";
import type { Problem } from "./problem.ts";

/** Pages checked between two looks at the event loop: a few milliseconds of work. */
const PAGES_PER_SLICE = 50;

export interface Page {
  path: string;
  /** The URL path a reader opens, e.g. `/guides/install`; null for a partial that has no page of its own. */
  route: string | null;
  /** From the front matter, else the first heading, else null. */
  title: string | null;
}

/** A documentation tree, understood the way its framework resolves it. Reads the tree as it is at each call. */
export interface Docs {
  framework: FrameworkName;
  /** The folder of the documentation inside the repository, without slashes at its ends; `""` for the root. */
  docsPath: string;
  pages(): Promise<Page[]>;
  /** Every defect, sorted by path, line, column. */
  check(signal?: AbortSignal): Promise<Problem[]>;
  /** Moves a file; inbound and its own relative links, navigation entries and redirects follow it. */
  movePage(from: string, to: string): Promise<PageMove | Refusal>;
  /** The changes that put a page into the navigation, or why it cannot be placed. */
  addToNavigation(path: string, place: NavigationPlace): Promise<FileChange[] | Refusal>;
  /** The changes that take a page out of the navigation. */
  removeFromNavigation(path: string): Promise<FileChange[]>;
  /** Pages that link to this file. */
  inboundLinks(path: string): Promise<{ path: string; line: number }[]>;
  /**
   * What a file's new content would run at the site's build that its old one did not, one line each: code in pages that the
   * framework reads as MDX (`.md` among them), and in its navigation scripts anything but literal values.
   */
  newCode(path: string, before: Uint8Array | null, after: Uint8Array, signal?: AbortSignal): Promise<string[]>;
  /** True for the framework's own navigation and redirect files, which may be published beside the pages. */
  isNavigationFile(path: string): boolean;
  /** True for a navigation file that configures the site as well: only its navigation and redirects may be edited. */
  isConfiguration(path: string): boolean;
  /** Why such a file may not become this, as the end of "… may not be changed here: …"; undefined where it may. */
  configurationDefect(path: string, before: Uint8Array | undefined, after: Uint8Array | null): string | undefined;
}

/**
 * Looks at the tree and decides which framework it is and where the docs lie, unless `docsPath` says so. Facts of pages are
 * kept by their object ids, so a tree that was read before costs no parsing again.
 */
export async function openDocs(tree: Tree, options: { docsPath?: string } = {}): Promise<Docs> {
  const wanted = withoutOuterSlashes(options.docsPath);
  const filesOf = (
    entries: readonly TreeEntry[],
    folder: string,
    signal?: AbortSignal,
    source: Pick<Tree, "read"> = tree,
  ): DocsFiles => createDocsFiles(source, entries, folder, { ...parsing, signal });

  const listed = await tree.list();
  const paths = listed.map((entry) => entry.path);
  const { framework, folder } = await findFramework((candidate) => filesOf(listed, candidate), paths, wanted);
  const openSite = async (signal?: AbortSignal): Promise<{ site: Site; entries: readonly TreeEntry[] }> => {
    const entries = await tree.list();
    return { site: await framework.open(filesOf(entries, folder, signal)), entries };
  };
  const byPath = (entries: readonly TreeEntry[]): Map<string, TreeEntry> =>
    new Map(entries.map((entry) => [entry.path, entry]));
  const inFolder = (path: string): string => (folder === "" ? path : path.slice(folder.length + 1));
  const keysOf = (path: string): readonly string[] | undefined =>
    isUnder(path, folder) ? framework.editableKeys?.(inFolder(path)) : undefined;
  const read = (path: string): Promise<Uint8Array | undefined> => tree.read(path);

  return {
    framework: framework.name,
    docsPath: wanted ?? folder,

    async pages() {
      const { site } = await openSite();
      return site.pages.map(({ path, route }) => ({ path, route, title: site.facts.get(path)?.title ?? null }));
    },

    async check(signal) {
      const { site, entries } = await openSite(signal);
      const filePaths = entries.map((entry) => entry.path);
      const problems = site.configurationProblems();
      for (const [index, page] of site.pages.entries()) {
        if (index % PAGES_PER_SLICE === 0) {
          await setImmediate();
          signal?.throwIfAborted();
        }
        problems.push(...checkPage(site, page, filePaths));
      }
      return problems.sort(byPlace);
    },

    async movePage(from, to) {
      const source = from.replace(/^\/+/, "");
      const destination = destinationOf(source, to);
      if (typeof destination !== "string") return destination;
      const { site, entries } = await openSite();
      const known = byPath(entries);
      const entry = known.get(source);
      if (entry === undefined) return { refused: `There is no file \`${from}\`.` };
      if (source === destination) return { refused: `\`${from}\` is where it is to be moved to.` };
      if (known.has(destination))
        return { refused: `There is a file \`${destination}\` already; delete or move it first.` };
      const after = entries
        .map((other) => (other === entry ? { ...entry, path: destination } : other))
        .sort((left, right) => (left.path < right.path ? -1 : 1));
      const moved = { read: (path: string) => read(path === destination ? source : path) };
      const siteAfter = await framework.open(filesOf(after, folder, undefined, moved));
      return planMove({ from: source, to: destination, before: site, after: siteAfter }, read, known);
    },

    async addToNavigation(path, place) {
      const { site, entries } = await openSite();
      const edits = site.addToNavigation(path.replace(/^\/+/, ""), place);
      return "refused" in edits ? edits : changesOf(edits, read, byPath(entries));
    },

    async removeFromNavigation(path) {
      const { site, entries } = await openSite();
      return changesOf(site.removeFromNavigation(path.replace(/^\/+/, "")), read, byPath(entries));
    },

    async inboundLinks(path) {
      const { site } = await openSite();
      return inboundLinks(site, path.replace(/^\/+/, ""));
    },

    async newCode(path, before, after, signal) {
      if (/\.[cm]?[jt]s$/.test(path)) {
        const keys = before === null ? undefined : keysOf(path);
        // Outside of what may be edited nothing changes, so only that is looked at.
        if (keys === undefined || before === null) return newScriptCode(path, before, after);
        return newScriptCode(path, partsAsScript(path, before, keys), partsAsScript(path, after, keys));
      }
      const isMdx = /\.mdx$/i.test(path) || (/\.md$/i.test(path) && framework.name !== "plain");
      return isMdx ? findNewCode({ before, after }, signal) : [];
    },

    isNavigationFile: (path) => isUnder(path, folder) && framework.isNavigationFile(inFolder(path)),

    isConfiguration: (path) => keysOf(path) !== undefined,

    configurationDefect(path, before, after) {
      const keys = keysOf(path);
      return keys === undefined ? undefined : configurationDefect(path, before, after, keys);
    },
  };
}
