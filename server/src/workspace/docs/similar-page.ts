import type { SitePage } from "./framework/framework.ts";
import { baseName, withoutPageSuffix } from "./paths.ts";

function parts(path: string): string[] {
  return withoutPageSuffix(path.replace(/[?#].*$/s, ""))
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..");
}

/** A path or an address as it is compared: no suffix, query, hash or outer slashes, in lower case. */
export function comparableAddress(path: string): string {
  return parts(path).join("/").toLowerCase();
}

/** The last part that names something: `guides/install/index` is about `install`. */
export function lastName(path: string): string {
  const names = parts(path);
  const last = names.at(-1) ?? "";
  return (/^(?:index|readme)$/i.test(last) ? (names.at(-2) ?? last) : last).toLowerCase();
}

export function one<Item>(found: readonly Item[] | undefined): Item | undefined {
  return found?.length === 1 ? found[0] : undefined;
}

interface PageNames {
  /** Paths of pages by their comparable file path and by their comparable address. */
  byAddress: Map<string, string[]>;
  byName: Map<string, string[]>;
}

/** A site of 2,000 pages and 1,000 broken links was looked through for 18 s, page by page for each link. */
const known = new WeakMap<readonly SitePage[], PageNames>();

function pageNames(pages: readonly SitePage[]): PageNames {
  let names = known.get(pages);
  if (names === undefined) {
    names = { byAddress: new Map(), byName: new Map() };
    known.set(pages, names);
    const add = (map: Map<string, string[]>, keys: readonly string[], path: string): void => {
      for (const key of new Set(keys)) {
        const paths = map.get(key);
        if (paths === undefined) map.set(key, [path]);
        else paths.push(path);
      }
    };
    for (const { path, route } of pages) {
      if (route === null) continue;
      add(names.byAddress, [comparableAddress(route), comparableAddress(path)], path);
      add(names.byName, [lastName(path), lastName(route)], path);
    }
  }
  return names;
}

/** The pages at that address, whatever its case. */
export function pagesAt(reference: string, pages: readonly SitePage[]): readonly string[] {
  const address = comparableAddress(reference);
  return address === "" ? [] : (pageNames(pages).byAddress.get(address) ?? []);
}

/** The pages of that name: the end of a file's name or of an address. */
export function pagesNamed(reference: string, pages: readonly SitePage[]): readonly string[] {
  const name = lastName(reference);
  return name === "" ? [] : (pageNames(pages).byName.get(name) ?? []);
}

/**
 * The page that an entry of a configuration which leads nowhere certainly means: the only one at that address in another
 * case, else the only one of that name.
 */
export function onlySimilarPage(reference: string, pages: readonly SitePage[]): string | undefined {
  const same = pagesAt(reference, pages);
  return one(same.length > 0 ? same : pagesNamed(reference, pages));
}

const knownFiles = new WeakMap<readonly string[], Map<string, string[]>>();

/** The only file whose name is that of the reference. */
export function onlyFileNamed(reference: string, paths: readonly string[]): string | undefined {
  let byName = knownFiles.get(paths);
  if (byName === undefined) {
    byName = Map.groupBy(paths, (path) => baseName(path).toLowerCase());
    knownFiles.set(paths, byName);
  }
  const name = baseName(reference).toLowerCase();
  return name === "" ? undefined : one(byName.get(name));
}
