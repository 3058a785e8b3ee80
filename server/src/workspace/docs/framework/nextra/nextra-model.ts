import type { DocsFiles } from "../../docs-files.ts";
import type { PageFacts } from "../../page/page-facts.ts";
import { baseName, folderOf, isPagePath, isUnder, joinPath } from "../../paths.ts";
import { createAddresses, type Addresses } from "../addresses.ts";
import { readNextConfig, type NextConfig } from "../next/next-config.ts";
import { readNextRoutes, type NextRoutes } from "../next/next-routes.ts";
import type { RedirectList } from "../navigation/redirects.ts";
import { bareRoute } from "../route.ts";

export interface NextraPage {
  path: string;
  route: string;
  language: string;
}

/** Everything of a Nextra site that its files tell. */
export interface NextraModel {
  files: DocsFiles;
  next: NextConfig | undefined;
  facts: ReadonlyMap<string, PageFacts>;
  pages: ReadonlyMap<string, NextraPage>;
  partials: readonly string[];
  /** The folder of the pages: `content`, or `pages` of older sites; undefined where pages lie in the app directory alone. */
  contentFolder: string | undefined;
  appFolders: readonly string[];
  app: NextRoutes;
  addresses: Addresses;
  redirects: RedirectList | undefined;
  publicFolders: readonly string[];
  languages: readonly string[];
  /** What a page at this path would be. */
  pageAt(path: string): NextraPage | undefined;
}

/** Addresses by the app directory's rules: groups and slots are not in them. */
function appRoute(inside: string): string {
  return bareRoute(
    folderOf(inside)
      .split("/")
      .filter((part) => !/^\(.*\)$|^@/.test(part))
      .join("/"),
  );
}

export async function readNextraModel(files: DocsFiles): Promise<NextraModel> {
  const next = await readNextConfig(files);
  const inSite = (path: string): string => joinPath(files.docsPath, path) ?? path;
  const appFolders = [inSite("app"), inSite("src/app")].filter((folder) => files.hasFolder(folder));
  const contentFolder = [inSite("content"), inSite("src/content"), inSite("pages"), inSite("src/pages")].find(
    (folder) => files.paths.some((path) => isUnder(path, folder) && (isPagePath(path) || /(?:^|\/)_meta\./.test(path))),
  );
  const isPagesFolder = contentFolder !== undefined && baseName(contentFolder) === "pages";
  const configText = next?.file.text ?? "";
  const contentBase = /\bcontentDirBasePath\s*:\s*["']([^"'\n]*)["']/.exec(configText)?.[1] ?? "/";
  const languages = next?.locales ?? [];

  const pageAt = (path: string): NextraPage | undefined => {
    if (!isPagePath(path)) return undefined;
    const app = appFolders.find((folder) => isUnder(path, folder));
    if (app !== undefined) {
      const inside = path.slice(app.length + 1);
      const isPage = /^page\.mdx?$/.test(baseName(inside)) && !/(?:^|\/)_|\[/.test(folderOf(inside));
      return isPage ? { path, route: appRoute(inside), language: "" } : undefined;
    }
    if (contentFolder === undefined || !isUnder(path, contentFolder)) return undefined;
    const inside = path.slice(contentFolder.length + 1);
    const first = inside.split("/")[0] ?? "";
    const byFolder = languages.includes(first) && inside !== first;
    const suffix = /\.([\w-]+)\.mdx?$/i.exec(inside)?.[1] ?? "";
    const byName = !byFolder && languages.includes(suffix);
    const language = byFolder ? first : byName ? suffix : "";
    const plain = (byFolder ? inside.slice(first.length + 1) : inside).replace(/\.mdx?$/i, "");
    const name = byName ? plain.slice(0, -suffix.length - 1) : plain;
    const own = name.replace(/(?:^|\/)index$/, "");
    if (isPagesFolder && /(?:^|\/)(?:_app|_document|_error)$/.test(own)) return undefined;
    return { path, route: bareRoute(`${isPagesFolder ? "/" : contentBase}/${own}`), language };
  };

  const roots = [
    ...appFolders,
    ...(contentFolder === undefined ? [] : [contentFolder]),
    inSite("components"),
    inSite("src/components"),
  ];
  const parsed = files.paths.filter((path) => isPagePath(path) && roots.some((folder) => isUnder(path, folder)));
  const facts = await files.readPages(parsed, {
    framework: "nextra",
    math: /\blatex\s*:/.test(configText),
    // Nextra reads `.md` as Markdown from version 4 on, and as MDX before.
    format: (path) => (/\.mdx$/i.test(path) ? "mdx" : "md"),
  });
  const pages = new Map(
    parsed.flatMap((path) => {
      const page = pageAt(path);
      return page === undefined ? [] : [[path, page] as const];
    }),
  );
  const partials = parsed.filter((path) => !pages.has(path));
  const app = readNextRoutes(files, {
    app: appFolders,
    pages: [inSite("pages"), inSite("src/pages")],
  });
  const byRoute = createRouteMap([...pages.values()], languages);
  const redirects = next?.redirects;
  // `[[...mdxPath]]` answers with the pages of the content folder.
  const openFolders = app.openFolders.filter(
    (folder) => contentFolder === undefined || isPagesFolder || folder !== bareRoute(contentBase),
  );
  const publicFolders = [inSite("public")];
  const addresses = createAddresses({
    files,
    base: next?.basePath ?? "/",
    pages: byRoute,
    publicFolders,
    redirects: new Map((redirects?.redirects ?? []).map(({ from, to }) => [bareRoute(from.value), to.value])),
    isGenerated: (route) =>
      app.routes.has(route) ||
      openFolders.some((folder) => isUnder(route, folder === "/" ? "" : folder)) ||
      /^\/(?:api|_next|_pagefind)\/|\.(?:txt|xml|json)$/.test(route) ||
      next?.isWritten(route) === true,
    isOwned: () => pages.size > 0,
  });
  return {
    files,
    next,
    facts,
    pages,
    partials,
    contentFolder,
    appFolders,
    app,
    addresses,
    redirects,
    publicFolders,
    languages,
    pageAt,
  };
}

/** Pages by route, and by route with their language in front. */
function createRouteMap(pages: readonly NextraPage[], languages: readonly string[]): Map<string, string> {
  const byRoute = new Map<string, string>();
  for (const { path, route, language } of pages) {
    if (language === "" || language === languages[0] || !byRoute.has(route)) byRoute.set(route, path);
    if (language !== "") byRoute.set(bareRoute(`/${language}${route}`), path);
  }
  return byRoute;
}
