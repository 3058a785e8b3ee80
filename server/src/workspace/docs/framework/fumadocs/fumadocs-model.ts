import type { DocsFiles } from "../../docs-files.ts";
import type { PageFacts } from "../../page/page-facts.ts";
import { baseName, folderOf, isPagePath, isUnder, joinPath } from "../../paths.ts";
import { createAddresses, type Addresses } from "../addresses.ts";
import { readNextConfig, type NextConfig } from "../next/next-config.ts";
import { readNextRoutes } from "../next/next-routes.ts";
import type { RedirectList } from "../navigation/redirects.ts";
import { bareRoute } from "../route.ts";
import { readFumadocsConfig, type Collection, type FumadocsConfig } from "./fumadocs-config.ts";

export interface FumadocsPage {
  path: string;
  collection: Collection;
  /** Null where the collection has no address. */
  route: string | null;
  language: string;
}

/** Everything of a Fumadocs site that its files tell. */
export interface FumadocsModel {
  files: DocsFiles;
  config: FumadocsConfig;
  next: NextConfig | undefined;
  facts: ReadonlyMap<string, PageFacts>;
  pages: ReadonlyMap<string, FumadocsPage>;
  /** Markdown of the app directory by path. */
  otherPages: ReadonlyMap<string, string>;
  /** Markdown that other pages may include: its name begins with a dot. */
  partials: readonly string[];
  addresses: Addresses;
  redirects: RedirectList | undefined;
  publicFolders: readonly string[];
  /** The collection that a path lies in, and what a page there would be. */
  pageAt(path: string): FumadocsPage | undefined;
}

/** Addresses of a page by its path in its collection: groups `(name)` are not in it, nor is `index`. */
function slugsOf(inside: string): string[] {
  const name = baseName(inside).replace(/\.mdx?$/i, "");
  const folders = folderOf(inside)
    .split("/")
    .filter((part) => part !== "" && !/^\(.+\)$/.test(part));
  return name === "index" ? folders : [...folders, name];
}

function languageOf(inside: string, config: FumadocsConfig): { language: string; plain: string } {
  const { languages, defaultLanguage, languageInName } = config;
  if (languages.length === 0) return { language: "", plain: inside };
  if (!languageInName) {
    const first = inside.split("/")[0] ?? "";
    return languages.includes(first)
      ? { language: first, plain: inside.slice(first.length + 1) }
      : { language: defaultLanguage, plain: inside };
  }
  const suffix = /\.([\w-]+)(\.mdx?)$/i.exec(inside);
  const language = suffix?.[1] ?? "";
  return languages.includes(language)
    ? { language, plain: inside.replace(/\.[\w-]+(\.mdx?)$/i, "$1") }
    : { language: defaultLanguage, plain: inside };
}

export async function readFumadocsModel(files: DocsFiles): Promise<FumadocsModel> {
  const config = await readFumadocsConfig(files);
  const next = await readNextConfig(files);
  const inSite = (path: string): string => joinPath(files.docsPath, path) ?? path;
  const longestFirst = [...config.collections].sort((left, right) => right.folder.length - left.folder.length);

  const pageAt = (path: string): FumadocsPage | undefined => {
    const collection = longestFirst.find(({ folder }) => isUnder(path, folder));
    if (collection === undefined || !isPagePath(path)) return undefined;
    const { language, plain } = languageOf(path.slice(collection.folder.length + 1), config);
    const { baseUrl } = collection;
    const route = baseUrl === undefined ? null : bareRoute([baseUrl, ...slugsOf(plain)].join("/"));
    return { path, collection, route, language };
  };

  const all = files.paths.filter(
    (path) => longestFirst.some(({ folder }) => isUnder(path, folder)) && isPagePath(path),
  );
  const hidden = all.filter((path) => /^[._]/.test(baseName(path)));
  const app = readNextRoutes(files, {
    app: [inSite("app"), inSite("src/app")],
    pages: [inSite("pages"), inSite("src/pages")],
  });
  const otherPages = new Map([...app.routes].flatMap(([route, path]) => (path === undefined ? [] : [[path, route]])));
  const facts = await files.readPages([...all, ...otherPages.keys()].sort(), {
    framework: "fumadocs",
    math: config.math,
    format: (path) => (/\.mdx$/i.test(path) ? "mdx" : "md"),
  });
  const pages = new Map(
    all
      .filter((path) => !hidden.includes(path))
      .flatMap((path) => {
        const page = pageAt(path);
        return page === undefined ? [] : [[path, page] as const];
      }),
  );
  const byRoute = createRouteMap(config, [...pages.values()], otherPages);
  const redirects = next?.redirects;
  const roots = [...new Set(config.collections.flatMap(({ baseUrl }) => baseUrl ?? []))];
  const openFolders = app.openFolders.filter(
    (folder) => !roots.includes(folder) && !config.languages.some(() => folder === "/"),
  );
  const hasRoutes = app.routes.size > 0;
  const firstParts = new Set([...byRoute.keys()].map((route) => route.split("/")[1] ?? ""));
  const publicFolders = [inSite("public")];
  const folderOfRoute = (route: string): string => bareRoute(folderOf(route.slice(1)));
  const knownFolders = new Set([...byRoute.keys()].map(folderOfRoute));
  const addresses = createAddresses({
    files,
    base: next?.basePath ?? "/",
    pages: byRoute,
    publicFolders,
    redirects: new Map((redirects?.redirects ?? []).map(({ from, to }) => [bareRoute(from.value), to.value])),
    isGenerated: (route) =>
      app.routes.has(route) ||
      openFolders.some((folder) => folder !== "/" && isUnder(route, folder)) ||
      /^\/(?:api|_next|og|llms)\b|\.(?:txt|xml|md|mdx|json)$/.test(route) ||
      next?.isWritten(route) === true,
    isOwned(route) {
      if (config.addsPages && !knownFolders.has(folderOfRoute(route))) return false;
      if (openFolders.includes("/") && !firstParts.has(route.split("/")[1] ?? "")) return false;
      const root = roots.find((base) => isUnder(route, base === "/" ? "" : base));
      if (root === undefined) return false;
      return root !== "/" || hasRoutes || firstParts.has(route.split("/")[1] ?? "");
    },
  });
  return {
    files,
    config,
    next,
    facts,
    pages,
    otherPages,
    partials: hidden,
    addresses,
    redirects,
    publicFolders,
    pageAt,
  };
}

/** Pages by route; translations also with their language in front, which falls back to the default language. */
function createRouteMap(
  config: FumadocsConfig,
  pages: readonly FumadocsPage[],
  otherPages: ReadonlyMap<string, string>,
): Map<string, string> {
  const byRoute = new Map([...otherPages].map(([path, route]) => [route, path]));
  for (const { path, route, language } of pages) {
    if (route === null) continue;
    const isDefault = language === config.defaultLanguage;
    if (isDefault || !byRoute.has(route)) byRoute.set(route, path);
    for (const name of config.languages) {
      const localized = bareRoute(`/${name}${route}`);
      if (name === language || (isDefault && !byRoute.has(localized))) byRoute.set(localized, path);
    }
  }
  return byRoute;
}
