import { decodePercent, type LinkTarget } from "./link-target.ts";
import type { LinkUse, Resolution, Site, SitePage } from "./framework/framework.ts";
import type { LinkFact } from "./page/page-facts.ts";
import { movedPage } from "./moved-page.ts";
import { onlyFileNamed } from "./similar-page.ts";

/** A path as it may stand in any link: what Markdown, HTML or URLs would read otherwise is percent-encoded. */
export function encodeLinkPath(path: string): string {
  return path.replaceAll(/[\s()<>"'`\\%?#^{}|[\]]/g, (character) =>
    character === "(" || character === ")" || character === "'"
      ? `%${character.charCodeAt(0).toString(16).toUpperCase()}`
      : encodeURIComponent(character),
  );
}

/** How a link to `toPath` is written like the given one; undefined unless the framework then finds that file. */
export function writeLink(
  site: Site,
  fromPath: string,
  toPath: string,
  like: string,
  link: LinkUse,
): string | undefined {
  const path = site.write(fromPath, toPath, like, link);
  if (path === undefined) return undefined;
  const resolved = site.resolve(fromPath, decodePercent(path), link);
  if (!("path" in resolved) || resolved.path !== toPath) return undefined;
  return link.role === "import" || link.role === "snippet" ? path : encodeLinkPath(path);
}

function comparable(id: string): string {
  return id.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function withinOneEdit(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  // Another number is another thing, not a slip.
  if (/\d/.test(`${short[start] ?? ""}${long[start] ?? ""}`)) return false;
  const rest = short.slice(start + (short.length === long.length ? 1 : 0));
  return rest === long.slice(start + 1);
}

/** The only id that differs from the wanted one by case, punctuation, or one character. */
export function onlySimilarAnchor(wanted: string, ids: readonly string[]): string | undefined {
  const pick = (matches: readonly string[]): string | undefined => {
    const plain = matches.filter((id) => !/%[0-9A-F]{2}/.test(id));
    if (plain.length === 0 || new Set(plain.map(comparable)).size > 1) return undefined;
    // Of the straight and the typographic form of one heading, the typographic one is what the page carries.
    return plain.find((id) => /[’“”…—]/.test(id)) ?? plain[0];
  };
  const form = comparable(wanted);
  const same = form === "" ? [] : ids.filter((id) => comparable(id) === form);
  if (same.length > 0) return pick(same);
  return wanted.length < 4 ? undefined : pick(ids.filter((id) => withinOneEdit(id, wanted)));
}

function hasAnchor(site: Site, path: string, { anchor }: LinkTarget): boolean {
  return anchor !== null && site.anchors(path).ids.includes(site.normalizeAnchor(anchor));
}

function keptSuffix(site: Site, path: string, target: LinkTarget): string {
  const isKept = target.anchor === null || site.anchors(path).open || hasAnchor(site, path, target);
  return isKept ? target.suffix : target.suffix.replace(/#.*$/s, "");
}

/** What a link that leads nowhere certainly should be, as it would be written in its file. */
export function suggestTarget(
  site: Site,
  page: SitePage,
  link: LinkFact,
  target: LinkTarget,
  missing: Resolution & { type: "missing" },
  filePaths: readonly string[],
): string | undefined {
  const write = (toPath: string): string | undefined => {
    const path = writeLink(site, page.path, toPath, target.path, link);
    return path === undefined ? undefined : `${path}${keptSuffix(site, toPath, target)}`;
  };
  if (missing.redirectsTo !== undefined) return write(missing.redirectsTo);
  if (link.role === "import") return undefined;
  if (link.role === "image" || link.role === "snippet") {
    const file = onlyFileNamed(target.path, filePaths);
    return file === undefined ? undefined : write(file);
  }
  const hasOwnAnchor = hasAnchor(site, page.path, target);
  const moved = movedPage(site, page, target.path, { text: link.text, hasAnchor: hasOwnAnchor });
  return moved === undefined ? undefined : write(moved);
}
