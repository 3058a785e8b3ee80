import type { Site, SitePage } from "./framework/framework.ts";
import { parseLinkTarget } from "./link-target.ts";
import { folderOf, joinPath } from "./paths.ts";
import { comparableAddress, lastName, one, pagesAt, pagesNamed } from "./similar-page.ts";

/*
 * When a page of the same name elsewhere is the one that a broken link means. On public documentation the name alone was
 * wrong more often than right: a concept that was deleted is not the integration of the same name, and
 * `loaders/arcgis` is not `providers/arcgis`. So the rest of the site is asked too.
 */

/** A reference to a page, as a path from the root of the site or of the repository. */
export function referenceOf(page: SitePage, path: string): string {
  return path.startsWith(".") ? (joinPath(folderOf(page.path), path) ?? path) : path;
}

interface Evidence {
  pages: readonly SitePage[];
  titles: Map<string, string[]>;
  /** Names of the pages that lie directly in a folder, by its comparable path or address. */
  namesIn: Map<string, Set<string>>;
  /** Comparable addresses that links expect and no page is at, by their folder. */
  missingIn: Map<string, Set<string>>;
}

/** Folders that have this many names in common stand side by side: the same things seen two ways. */
const PARALLEL_NAMES_MIN = 2;
const GENERIC_NAMES = new Set(["index", "readme", "overview", "introduction", "intro", "quickstart", "faq"]);

const known = new WeakMap<Site, Map<string, Evidence>>();

function add<Key>(map: Map<Key, Set<string>>, key: Key, value: string): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, new Set([value]));
  else values.add(value);
}

function collectEvidence(site: Site, collection: string): Evidence {
  const pages = site.pages.filter((page) => page.collection === collection);
  const evidence: Evidence = { pages, titles: new Map(), namesIn: new Map(), missingIn: new Map() };
  for (const page of pages) {
    if (page.route !== null) {
      const title = site.facts.get(page.path)?.title?.trim().toLowerCase();
      if (title !== undefined) evidence.titles.set(title, [...(evidence.titles.get(title) ?? []), page.path]);
      for (const address of new Set([comparableAddress(page.path), comparableAddress(page.route)])) {
        add(evidence.namesIn, folderOf(address), lastName(address));
      }
    }
    for (const link of site.facts.get(page.path)?.links ?? []) {
      const target = link.role === "link" ? parseLinkTarget(link.url) : undefined;
      if (target === undefined || target.path === "") continue;
      const resolution = site.resolve(page.path, target.path, link);
      if (resolution.type !== "missing" || resolution.redirectsTo !== undefined) continue;
      const address = comparableAddress(referenceOf(page, target.path));
      add(evidence.missingIn, folderOf(address), address);
    }
  }
  return evidence;
}

function evidenceFor(site: Site, collection: string): Evidence {
  let collections = known.get(site);
  if (collections === undefined) known.set(site, (collections = new Map()));
  let evidence = collections.get(collection);
  if (evidence === undefined) collections.set(collection, (evidence = collectEvidence(site, collection)));
  return evidence;
}

function areParallel({ namesIn }: Evidence, left: string, right: string): boolean {
  const names = namesIn.get(left);
  if (names === undefined || left === right) return false;
  const common = [...(namesIn.get(right) ?? [])].filter((name) => names.has(name) && !GENERIC_NAMES.has(name));
  return common.length >= PARALLEL_NAMES_MIN;
}

/** Where most of what links expect in a folder is nowhere else, a page of the same name elsewhere is a coincidence. */
function mostMoved({ missingIn, pages }: Evidence, folder: string): boolean {
  const missing = [...(missingIn.get(folder) ?? [])];
  const elsewhere = missing.filter((address) => pagesNamed(address, pages).length > 0);
  return elsewhere.length * 2 >= missing.length;
}

/** `../customers` for `./customers`: the same words from another folder of those that the page lies in. */
function slippedPage(from: SitePage, path: string, pages: readonly SitePage[]): string | undefined {
  const words = path.replace(/^(?:\.{1,2}\/)+/, "");
  // Every folder has its README.
  if (path.startsWith("/") || words === "" || /^(?:index|readme)(?:\.\w+)?$/i.test(words)) return undefined;
  const found = new Set<string>();
  for (let folder = folderOf(from.path); ; folder = folderOf(folder)) {
    for (const page of pagesAt(joinPath(folder, words) ?? "", pages)) found.add(page);
    if (folder === "") break;
  }
  const only = one([...found]);
  return only === from.path ? undefined : only;
}

/**
 * The page that a link which leads nowhere certainly means: the only one at that address in another case; the only one
 * that the same words reach from a folder around; the only one of that name, where nothing speaks against a move; the only one in that folder whose title is the link's text.
 * @param path the link's path as written, without query and hash
 * @param hasAnchor whether the link names a place on this very page
 */
export function movedPage(
  site: Site,
  from: SitePage,
  path: string,
  { text, hasAnchor }: { text: string | null; hasAnchor: boolean },
): string | undefined {
  const evidence = evidenceFor(site, from.collection);
  const { pages } = evidence;
  const reference = referenceOf(from, path);
  const address = comparableAddress(reference);
  const same = pagesAt(reference, pages);
  if (same.length > 0) return one(same);
  const slipped = slippedPage(from, path, pages);
  if (slipped !== undefined) return slipped;
  const folder = folderOf(address);
  const named = pagesNamed(reference, pages);
  const titled = text === null ? [] : (evidence.titles.get(text.trim().toLowerCase()) ?? []);
  const found = one(named.length > 0 ? named : titled);
  // A page hardly links to itself but to a place on it.
  if (found === undefined || (found === from.path && !hasAnchor)) return undefined;
  const route = pages.find((page) => page.path === found)?.route ?? "";
  const folders = [found, route].map((place) => folderOf(comparableAddress(place)));
  if (folders.includes(folder)) return found;
  if (named.length === 0) return undefined;
  const isSection = evidence.missingIn.has(address) && !/(?:^|\/)(?:index|readme)\.mdx?$/i.test(found);
  const isParallel = folders.some((other) => areParallel(evidence, folder, other));
  return isSection || isParallel || !mostMoved(evidence, folder) ? undefined : found;
}
