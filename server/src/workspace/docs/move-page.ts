import type { FileChange, TreeEntry } from "../tree.ts";
import type { Refusal } from "../refusal.ts";
import type { ConfigurationEdits, Site } from "./framework/framework.ts";
import { parseLinkTarget } from "./link-target.ts";
import { isPagePath } from "./paths.ts";
import { writeLink } from "./suggest.ts";
import { applyEdits, decodeText, encodeText, type TextEdit } from "./text-edit.ts";

export interface PageMove {
  changes: FileChange[];
  linksRewritten: { path: string; count: number }[];
  navigationEntries: number;
  redirect: { path: string; source: string; destination: string } | null;
}

/** Where a file goes, as a clean path; a page without a suffix keeps its own. */
export function destinationOf(from: string, to: string): string | Refusal {
  const path = to.trim().replace(/^\/+/, "");
  const parts = path.split("/");
  if (path === "" || path.endsWith("/") || parts.some((part) => part === "" || part === "." || part === "..")) {
    return { refused: `\`${to}\` is not a path of a file inside the repository.` };
  }
  const suffix = /\.mdx?$/i.exec(from)?.[0];
  if (suffix === undefined || isPagePath(path)) return path;
  return /\.[A-Za-z][A-Za-z\d]{0,4}$/.test(path)
    ? { refused: `\`${to}\` is not a Markdown file: a page must end in .md or .mdx.` }
    : `${path}${suffix}`;
}

/** The edits that keep every reference pointing at the file it points at now, per page as it is named now. */
function linkEdits(before: Site, after: Site, from: string, to: string): Map<string, TextEdit[]> {
  const edits = new Map<string, TextEdit[]>();
  const moved = (path: string): string => (path === from ? to : path);
  for (const [path, facts] of before.facts) {
    const pageEdits: TextEdit[] = [];
    for (const link of facts.links) {
      const target = parseLinkTarget(link.url);
      if (target === undefined || target.path === "") continue;
      const resolution = before.resolve(path, target.path, link);
      if (!("path" in resolution) || (path !== from && resolution.path !== from)) continue;
      // The redirect itself follows the page.
      if (resolution.type === "page" && resolution.redirected === true) continue;
      const wanted = moved(resolution.path);
      const now = after.resolve(moved(path), target.path, link);
      if ("path" in now && now.path === wanted) continue;
      const written = writeLink(after, moved(path), wanted, target.path, link);
      if (written !== undefined)
        pageEdits.push({ start: link.start, end: link.end, text: `${written}${target.suffix}` });
    }
    if (pageEdits.length > 0) edits.set(path, pageEdits);
  }
  return edits;
}

/** Applies edits to files of the tree; files that are not UTF-8 stay as they are. */
export async function changesOf(
  edits: ConfigurationEdits,
  read: (path: string) => Promise<Uint8Array | undefined>,
  entries: ReadonlyMap<string, TreeEntry>,
): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const [path, fileEdits] of edits) {
    const content = await read(path);
    const text = content === undefined ? undefined : decodeText(content);
    if (text === undefined || fileEdits.length === 0) continue;
    changes.push({ path, mode: entries.get(path)?.mode ?? "100644", content: encodeText(applyEdits(text, fileEdits)) });
  }
  return changes.sort((left, right) => (left.path < right.path ? -1 : 1));
}

export async function planMove(
  move: { from: string; to: string; before: Site; after: Site },
  read: (path: string) => Promise<Uint8Array | undefined>,
  entries: ReadonlyMap<string, TreeEntry>,
): Promise<PageMove> {
  const { from, to, before, after } = move;
  const links = linkEdits(before, after, from, to);
  const configuration = before.followMove({ from, to, after });
  const changes = await changesOf(new Map([...links, ...configuration.edits]), read, entries);
  const mode = entries.get(from)?.mode ?? "100644";
  const own = changes.find((change) => change.path === from)?.content ?? (await read(from)) ?? new Uint8Array();
  return {
    changes: [
      ...changes.filter((change) => change.path !== from),
      { path: from, mode, content: null },
      { path: to, mode, content: own },
    ].sort((left, right) => (left.path < right.path ? -1 : 1)),
    linksRewritten: [...links]
      .map(([path, edits]) => ({ path: path === from ? to : path, count: edits.length }))
      .sort((left, right) => (left.path < right.path ? -1 : 1)),
    navigationEntries: configuration.navigationEntries,
    redirect: configuration.redirect,
  };
}
