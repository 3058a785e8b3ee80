import picomatch from "picomatch";
import type { Docs } from "../../workspace/docs/docs.ts";
import type { Refusal } from "../../workspace/refusal.ts";
import { matchPaths } from "../../workspace/path-glob.ts";
import type { TreeEntry } from "../../workspace/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The files of a workspace at one moment, found the way people and models write paths. */
export interface Paths {
  docs: Docs;
  entries: readonly TreeEntry[];
  /**
   * The one file that a path means: exactly, inside the docs folder, without its suffix, or as a folder's index page.
   * `/guides/install` means `docs/guides/install.mdx` when that is what there is.
   */
  find(path: string): TreeEntry | Refusal;
  /** The same for a path that need not exist yet: inside the docs folder when its folder lies there. */
  place(path: string): string;
  /** The same for a new page, which gets the suffix that most pages have when the path has none. */
  placePage(path: string): string;
}

const PAGE_SUFFIXES = [".mdx", ".md"];

export async function openPaths(workspace: Workspace): Promise<Paths> {
  const [docs, entries] = await Promise.all([workspace.docs(), workspace.list()]);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const find = (path: string): TreeEntry | Refusal => {
    for (const candidate of candidates(cleanPath(path), docs.docsPath)) {
      const entry = byPath.get(candidate);
      if (entry !== undefined) return entry;
    }
    return { refused: missing(path, entries) };
  };
  const place = (path: string): string => {
    const clean = cleanPath(path);
    const prefix = docs.docsPath === "" ? "" : `${docs.docsPath}/`;
    if (prefix === "" || clean.startsWith(prefix) || byPath.has(clean)) return clean;
    const topFolder = clean.includes("/") ? `${clean.split("/", 1)[0]}/` : undefined;
    const liesAtRoot = topFolder !== undefined && entries.some((entry) => entry.path.startsWith(topFolder));
    return liesAtRoot ? clean : prefix + clean;
  };
  const placePage = (path: string): string => {
    const placed = place(path);
    return /\.\w+$/.test(placed) ? placed : placed + usualSuffix(entries, docs.docsPath);
  };
  return { docs, entries, find, place, placePage };
}

/** True for a Markdown or MDX page. */
export function isPage(path: string): boolean {
  return PAGE_SUFFIXES.some((suffix) => path.toLowerCase().endsWith(suffix));
}

export function isInside(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

function usualSuffix(entries: readonly TreeEntry[], docsPath: string): string {
  const pages = entries.filter(({ path }) => isPage(path) && isInside(path, docsPath));
  const mdx = pages.filter(({ path }) => path.endsWith(".mdx")).length;
  return mdx * 2 >= pages.length ? ".mdx" : ".md";
}

function cleanPath(path: string): string {
  return path.trim().replace(/^(?:\.?\/)+/, "");
}

function* candidates(path: string, docsPath: string): Generator<string> {
  const roots = docsPath === "" ? [path] : [path, `${docsPath}/${path}`];
  yield* roots;
  for (const root of roots) {
    const bare = root.replace(/\/+$/, "");
    for (const suffix of PAGE_SUFFIXES) yield bare + suffix;
    for (const suffix of PAGE_SUFFIXES) yield `${bare}/index${suffix}`;
  }
}

function missing(path: string, entries: readonly TreeEntry[]): string {
  const stem = fileStem(path);
  const near = entries.filter((entry) => fileStem(entry.path) === stem).slice(0, 5);
  const hint =
    near.length > 0
      ? `Files with that name: ${near.map((entry) => entry.path).join(", ")}.`
      : "list_files shows what there is.";
  return `There is no file ${JSON.stringify(path)}. ${hint}`;
}

function fileStem(path: string): string {
  return (cleanPath(path).split("/").at(-1) ?? "").replace(/\.\w+$/, "").toLowerCase();
}

/** The paths that a glob means, all of them without one; `pathGlobs` says how it is read. */
export function selectPaths(
  paths: readonly string[],
  glob: string | undefined,
  docsPath: string,
): ReadonlySet<string> | Refusal {
  if (glob === undefined) return new Set(paths);
  return matchPaths(paths, pathGlobs(glob, docsPath), { dot: true, nonegate: true });
}

/**
 * The globs that a glob stands for, as picomatch reads them. One without a slash matches file names in any folder; a
 * folder's name matches all that it holds, a page's name the page; it may start at the repository's root or at the
 * docs folder.
 */
function pathGlobs(glob: string, docsPath: string): string[] {
  const clean = cleanPath(glob).replace(/\/+$/, "/**");
  if (clean === "" || clean === "**" || clean === ".") return ["**"];
  const roots = docsPath === "" || clean.startsWith(`${docsPath}/`) ? [clean] : [clean, `${docsPath}/${clean}`];
  const isGlob = picomatch.scan(clean).isGlob || clean.includes("{");
  const globs = isGlob
    ? roots
    : roots.flatMap((root) => [root, `${root}/**`, ...PAGE_SUFFIXES.map((each) => root + each)]);
  return clean.includes("/") ? globs : [...globs, `**/${clean}`];
}

/** The same as one glob. Inside braces picomatch wants a folder where `**` `/` stands, so that it is given without as well. */
export function joinedGlob(glob: string, docsPath: string): string {
  const globs = pathGlobs(glob, docsPath);
  const plain = globs.flatMap((each) => (each.includes("**/") ? [each, each.replaceAll("**/", "")] : [each]));
  return plain.length === 1 ? (plain[0] ?? "**") : `{${plain.join(",")},/}`;
}
