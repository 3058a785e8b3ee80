import type { DocsFiles } from "../../docs-files.ts";
import type { PageFacts } from "../../page/page-facts.ts";
import { isPagePath, isUnder } from "../../paths.ts";
import { createAddresses, type Addresses } from "../addresses.ts";
import { readRedirectMap, type RedirectList } from "../navigation/redirects.ts";
import { readWrittenAddresses } from "../navigation/written-addresses.ts";
import { bareRoute } from "../route.ts";
import { readStarlightConfig, type StarlightConfig } from "./starlight-config.ts";
import {
  contentPages,
  localeOf,
  pagesFolderRoutes,
  ROUTE_FIELDS,
  routeOf,
  type StarlightPage,
} from "./starlight-pages.ts";

/** Everything of a Starlight site that its files tell. */
export interface StarlightModel {
  files: DocsFiles;
  config: StarlightConfig;
  facts: ReadonlyMap<string, PageFacts>;
  /** Pages of the documentation by their paths; Markdoc's among them, which are not parsed. */
  pages: ReadonlyMap<string, StarlightPage>;
  /** Markdown of `src/pages` by path. */
  otherPages: ReadonlyMap<string, string>;
  /** Markdown that other pages may import. */
  partials: readonly string[];
  addresses: Addresses;
  redirects: RedirectList | undefined;
}

const NO_CONFIG: StarlightConfig = {
  file: { path: "", text: "", root: undefined, problem: undefined },
  base: "/",
  trailingSlash: "ignore",
  buildsFiles: false,
  contentFolder: "src/content/docs",
  pagesFolder: "src/pages",
  publicFolder: "public",
  locales: null,
  defaultLocale: "",
  sidebar: undefined,
  redirects: undefined,
  logos: [],
  complete: false,
  ownIds: true,
  rewritesLinks: true,
};

export async function readStarlightModel(files: DocsFiles): Promise<StarlightModel> {
  const config = (await readStarlightConfig(files)) ?? NO_CONFIG;
  const inContent = (path: string): string => path.slice(config.contentFolder.length + 1);
  const content = contentPages(files, config);
  const source = config.contentFolder.replace(/\/?content\/docs$/, "");
  const parsed = files.paths.filter((path) => isPagePath(path) && isUnder(path, source));
  const facts = await files.readPages(parsed, {
    framework: "starlight",
    format: (path) => (/\.mdx$/i.test(path) ? "mdx" : "md"),
    routeFields: ROUTE_FIELDS,
  });
  const pages = new Map(
    content.map((path): [string, StarlightPage] => {
      const route = routeOf(inContent(path), facts.get(path));
      return [path, { path, route, locale: localeOf(route, config) }];
    }),
  );
  const others = pagesFolderRoutes(files, config.pagesFolder);
  const otherPages = new Map(
    [...others.routes].flatMap(([route, path]) => (path === undefined ? [] : [[path, route]])),
  );
  const byRoute = new Map<string, string>();
  for (const [path, route] of otherPages) byRoute.set(route, path);
  for (const { path, route } of pages.values()) byRoute.set(route, path);
  // A language that lacks a page shows the default one in its place.
  for (const locale of config.locales ?? []) {
    for (const { path, route, locale: own } of pages.values()) {
      if (own !== config.defaultLocale.toLowerCase()) continue;
      const rest = own === "" ? route : route.slice(own.length + 1);
      const fallback = bareRoute(`/${locale.toLowerCase()}/${rest}`);
      if (!byRoute.has(fallback)) byRoute.set(fallback, path);
    }
  }
  const redirects = readRedirectMap(config.file, config.redirects);
  const firstParts = new Set([...pages.values()].map(({ route }) => route.split("/")[1] ?? ""));
  const { openFolders } = others;
  const written = await readWrittenAddresses(files, config === NO_CONFIG ? undefined : config.file);
  const addresses = createAddresses({
    files,
    base: config.base,
    pages: byRoute,
    publicFolders: [config.publicFolder],
    redirects: new Map((redirects?.redirects ?? []).map(({ from, to }) => [bareRoute(from.value), to.value])),
    isGenerated: (route) =>
      others.routes.has(route) ||
      openFolders.some((folder) => isUnder(route, folder === "/" ? "" : folder)) ||
      /^\/(?:404|sitemap-index\.xml|sitemap-\d+\.xml|rss\.xml|robots\.txt|llms[\w-]*\.txt)$|^\/(?:pagefind|_astro|_llms-txt|og|open-graph)\//.test(
        route,
      ) ||
      (config.redirects !== undefined && redirects?.extensible !== true && written.routes.has(route)) ||
      written.folders.some((folder) => isUnder(route, folder)),
    isOwned: (route) =>
      !config.ownIds &&
      config.locales !== null &&
      (config.complete || (route !== "/" && firstParts.has(route.split("/")[1] ?? ""))),
  });
  const partials = parsed.filter((path) => !pages.has(path) && !otherPages.has(path));
  return { files, config, facts, pages, otherPages, partials, addresses, redirects };
}
