import type { DocsFiles } from "../../docs-files.ts";
import { isUnder } from "../../paths.ts";
import type { Resolution } from "../framework.ts";
import type { DocusaurusConfig } from "./docusaurus-config.ts";
import { bareRoute } from "../route.ts";
import type { Document, DocsVersion } from "./docusaurus-documents.ts";

export interface Routes {
  /** Looks up a path of the site, `baseUrl` in front or not. */
  lookUp(path: string, locale: string | null): Resolution;
}

/** `src/pages/about.tsx` -> `/about`; undefined for what is not a page. */
export function pageFileRoute(path: string, pagesFolder: string): string | undefined {
  if (!isUnder(path, pagesFolder)) return undefined;
  const inside = path.slice(pagesFolder.length + 1);
  if (!/\.(?:jsx?|tsx?|mdx?)$/.test(inside) || /(?:^|\/)_|\.test\.|\.d\.ts$|__tests__/.test(inside)) return undefined;
  return bareRoute(inside.replace(/\.\w+$/, "").replace(/(?:^|\/)index$/, ""));
}

export function createRoutes(
  files: DocsFiles,
  config: DocusaurusConfig,
  tree: {
    documents: readonly Document[];
    versions: readonly DocsVersion[];
    /** Pages outside of the docs, by route. */
    otherPages: ReadonlyMap<string, string>;
    /** Addresses of generated pages that stand in the configuration. */
    generated: readonly string[];
  },
): Routes {
  const byRoute = new Map<string, string>([...tree.otherPages].map(([route, path]) => [bareRoute(route), path]));
  for (const document of tree.documents) byRoute.set(bareRoute(document.route), document.path);
  const base = bareRoute(config.baseUrl);
  const firstParts = new Set(tree.documents.map(({ route }) => bareRoute(route).split("/")[1] ?? ""));
  const generatedPages = new Set([
    "/search",
    ...tree.versions.flatMap(({ route }) => tree.generated.map((slug) => bareRoute(`${route}/${slug}`))),
  ]);
  const generatedFolders = [
    ...tree.versions.flatMap(({ route }) => [bareRoute(`${route}/category`), bareRoute(`${route}/tags`)]),
    ...config.blogs.map(({ route }) => bareRoute(route)),
  ].filter((route) => route !== "/");
  const blogAtRoot = config.blogs.some(({ route }) => bareRoute(route) === "/");
  const writtenRoutes = tree.versions.flatMap(({ route, folder }) =>
    config.generatedFolders
      .filter((written) => isUnder(written, folder))
      .map((written) => bareRoute(`${route}/${written.slice(folder.length)}`)),
  );
  const redirects = new Map(config.redirects.map(({ from, to }) => [bareRoute(from.value), bareRoute(to.value)]));

  /** Only the docs plugin answers for it, so what it does not know does not exist. */
  const isOwned = (route: string): boolean => {
    if (blogAtRoot || writtenRoutes.some((folder) => isUnder(route, folder))) return false;
    if (config.complete) return true;
    if (config.generatesSomewhere) return false;
    return tree.versions.some(({ route: docs }) =>
      docs === "/" ? firstParts.has(route.split("/")[1] ?? "") : isUnder(route, docs),
    );
  };

  const staticFile = (route: string): string | undefined =>
    config.staticFolders
      .flatMap((folder) => [`${folder}${route}`, `${folder}${route}/index.html`, `${folder}${route}.html`])
      .find((path) => files.has(path));

  const one = (route: string): Resolution | undefined => {
    const page = byRoute.get(route) ?? byRoute.get(route.replace(/\.html$/, ""));
    if (page !== undefined) return { type: "page", path: page };
    const file = staticFile(route);
    if (file !== undefined) return { type: "file", path: file };
    if (generatedPages.has(route) || generatedFolders.some((folder) => isUnder(route, folder)))
      return { type: "generated" };
    if (/^\/(?:sitemap\.xml|robots\.txt|404(?:\.html)?)$/.test(route)) return { type: "generated" };
    return undefined;
  };

  return {
    lookUp(path, locale) {
      const route = bareRoute(path);
      const withoutBase = base !== "/" && isUnder(route, base) ? bareRoute(route.slice(base.length)) : undefined;
      const forms = [route, ...(withoutBase === undefined ? [] : [withoutBase])];
      const plainForms = forms.flatMap((form) => {
        const first = form.split("/")[1] ?? "";
        return config.locales.includes(first) ? [form, bareRoute(form.slice(first.length + 1))] : [form];
      });
      const localized = locale === null ? [] : plainForms.map((form) => `/${locale}${form}`);
      for (const form of [...localized, ...plainForms]) {
        const found = one(form);
        if (found !== undefined) return found;
      }
      for (const form of plainForms) {
        const destination = redirects.get(form);
        const target = destination === undefined ? undefined : one(destination);
        if (target?.type === "page") return { type: "missing", redirectsTo: target.path };
        if (destination !== undefined) return { type: "unknown" };
      }
      return plainForms.some(isOwned) ? { type: "missing" } : { type: "unknown" };
    },
  };
}

/** How a page is written as a route: `trailingSlash` as configured, else as the document has it. */
export function routeAsConfigured(route: string, trailingSlash: boolean | undefined): string {
  if (trailingSlash === undefined || route === "/") return route;
  return trailingSlash ? `${bareRoute(route)}/` : bareRoute(route);
}
