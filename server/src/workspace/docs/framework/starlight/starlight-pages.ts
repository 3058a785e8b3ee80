import { slug as slugOf } from "github-slugger";
import type { DocsFiles } from "../../docs-files.ts";
import type { PageFacts } from "../../page/page-facts.ts";
import { baseName, folderOf, isPagePath, isUnder } from "../../paths.ts";
import { bareRoute } from "../route.ts";
import type { StarlightConfig } from "./starlight-config.ts";

export interface StarlightPage {
  path: string;
  /** Without the base; bare. */
  route: string;
  /** The locale's folder, `""` for the root. */
  locale: string;
}

/** What `routeOf` reads of the front matter. */
export const ROUTE_FIELDS: readonly string[] = ["slug", "title"];

const PAGE_SUFFIX = /\.(?:mdx?|mdoc|markdown|mdown|mkdn|mkd|mdwn)$/i;

/** Astro makes the id of an entry of its path: each part slugged, `/index` cut off (`getContentEntryIdAndSlug`). */
export function routeOf(pathInContent: string, facts: PageFacts | undefined): string {
  const slug = facts?.frontMatter["slug"];
  if (typeof slug === "string") return bareRoute(slug === "index" ? "/" : slug.replace(/\/index$/, ""));
  const parts = pathInContent
    .replace(PAGE_SUFFIX, "")
    .split("/")
    .map((part) => slugOf(part));
  const id = parts.join("/").replace(/(?:^|\/)index$/, "");
  return bareRoute(id);
}

export function localeOf(route: string, config: StarlightConfig): string {
  const first = route.split("/")[1] ?? "";
  return (config.locales ?? []).some((name) => name.toLowerCase() === first) ? first : "";
}

/** Files of the content folder that become pages: their names do not begin with an underscore. */
export function contentPages(files: DocsFiles, config: StarlightConfig): string[] {
  return files.paths.filter(
    (path) => isUnder(path, config.contentFolder) && PAGE_SUFFIX.test(path) && !baseName(path).startsWith("_"),
  );
}

export interface OtherRoutes {
  /** Routes of files in `src/pages`, with the Markdown files among them. */
  routes: ReadonlyMap<string, string | undefined>;
  /** Folders under which a route has a parameter: what answers there cannot be told. */
  openFolders: readonly string[];
}

export function pagesFolderRoutes(files: DocsFiles, folder: string): OtherRoutes {
  const routes = new Map<string, string | undefined>();
  const openFolders: string[] = [];
  for (const path of files.paths) {
    if (!isUnder(path, folder) || !/\.(?:astro|html|mdx?|[jt]s)$/.test(path)) continue;
    const inside = path.slice(folder.length + 1);
    if (/(?:^|\/)_/.test(inside)) continue;
    const isEndpoint = /\.[jt]s$/.test(inside);
    const route = bareRoute(inside.replace(/\.\w+$/, "").replace(/(?:^|\/)index$/, ""));
    const parameter = inside.indexOf("[");
    if (parameter === -1) routes.set(route, isPagePath(path) ? path : undefined);
    // At the root such a route is an endpoint or a page of everything; an endpoint has a suffix of its own.
    else if (!(isEndpoint && folderOf(inside) === "" && /\]\.\w+\.[jt]s$/.test(inside))) {
      openFolders.push(bareRoute(folderOf(inside.slice(0, parameter + 1))));
    }
  }
  return { routes, openFolders };
}
