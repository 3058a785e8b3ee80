import type { DocsFiles } from "../../docs-files.ts";
import { baseName, folderOf, isUnder } from "../../paths.ts";
import { createAnchorIndex } from "../anchor-index.ts";
import type { Framework, Site, SitePage } from "../framework.ts";
import { createNavigationEdits, isInFolder } from "../navigation/navigation-edits.ts";
import { navigationProblems, redirectProblems } from "../navigation/navigation-problems.ts";
import { NEXT_CONFIG_NAMES } from "../next/next-config.ts";
import { writeNextLink } from "../next/next-write.ts";
import { bareRoute } from "../route.ts";
import { SOURCE_CONFIG_NAMES } from "./fumadocs-config.ts";
import { readFumadocsModel, type FumadocsModel } from "./fumadocs-model.ts";
import { readFumadocsNavigation } from "./fumadocs-navigation.ts";
import { fumadocsProfile } from "./fumadocs-profile.ts";
import { fileFrom, resolveFumadocs, routeAt } from "./fumadocs-resolve.ts";

/** Modules that bring no ids. */
const NO_IDS =
  /^fumadocs-(?:ui|core|openapi|twoslash)\/|^lucide-react$|^react$|^next\/|\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|json|txt|mp4)$/;

function sitePages(model: FumadocsModel): SitePage[] {
  const documents = [...model.pages.values()].map(({ path, route, collection, language }) => ({
    path,
    route,
    partial: false,
    collection: `${collection.name} ${language}`,
  }));
  const others = [...model.otherPages].map(([path, route]) => ({ path, route, partial: false, collection: "pages" }));
  const partials = model.partials.map((path) => ({ path, route: null, partial: true, collection: "partials" }));
  return [...documents, ...others, ...partials].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function isNavigationFile(pathInDocs: string): boolean {
  return (
    (/(?:^|\/)meta(?:\.[\w-]+)?\.json$/.test(pathInDocs) && !isUnder(pathInDocs, "node_modules")) ||
    NEXT_CONFIG_NAMES.includes(pathInDocs)
  );
}

async function open(files: DocsFiles): Promise<Site> {
  const model = await readFumadocsModel(files);
  const { config, facts, next, addresses } = model;
  const pages = sitePages(model);
  const navigation = await readFumadocsNavigation(model, pages);
  const imported = { role: "import", syntax: "script", element: null } as const;
  const places = {
    basePath: next?.basePath ?? "/",
    publicFolders: model.publicFolders,
    languages: config.languages,
    routeAt: (path: string) => routeAt(model, path),
    linksByFile: true,
  };
  return {
    pages,
    facts,
    resolve: (fromPath, path, link) => resolveFumadocs(model, fromPath, path, link),
    write: (fromPath, toPath, like, link) => writeNextLink(places, fromPath, toPath, like, link),
    normalizeAnchor: (anchor) => anchor,
    anchors: createAnchorIndex(facts, {
      importedPage(fromPath, source) {
        const found = resolveFumadocs(model, fromPath, source, imported);
        if (found.type === "page") return found.path;
        return NO_IDS.test(source) ? null : undefined;
      },
      included: (path, page) =>
        page.links.flatMap((link) => {
          const found = link.role === "snippet" ? fileFrom(model, path, link.url) : undefined;
          return found?.type === "page" ? [found.path] : [];
        }),
      // A page that is made of an API description has headings of its own.
      generatesIds: (_, { frontMatter }) =>
        ["_openapi", "openapi", "full"].some((key) => frontMatter[key] !== undefined),
    }),
    configurationProblems: () => [
      ...navigationProblems(navigation),
      ...redirectProblems(model.redirects, {
        normalize: bareRoute,
        hidesPage: (from) => [...model.pages.values()].some(({ route }) => route === bareRoute(from)),
        resolve: (to) => (to.startsWith("/") ? addresses.lookUp(to.replace(/[?#].*$/s, "")) : { type: "unknown" }),
        isPattern: (path) => /[:*(]/.test(path.replace(/^[a-z]+:\/\//, "")),
      }),
    ],
    ...createNavigationEdits({
      navigation,
      isEditable: (path) => isInFolder(path, files.docsPath, isNavigationFile),
      redirects: model.redirects,
      target(path) {
        const page = model.pageAt(path);
        return page === undefined ? undefined : { path, route: page.route ?? "/" };
      },
      redirectFor: (from, to) => ({ from: from.route, to: to.route, normalize: bareRoute }),
    }),
  };
}

/** Fumadocs with its MDX source: source.config names the folders, meta.json files hold the navigation. */
export const fumadocs: Framework = {
  name: "fumadocs",
  profile: fumadocsProfile,
  folders: (paths) => paths.filter((path) => SOURCE_CONFIG_NAMES.includes(baseName(path))).map(folderOf),
  async confirm(files) {
    const folder = files.docsPath === "" ? "" : `${files.docsPath}/`;
    const texts = await Promise.all(SOURCE_CONFIG_NAMES.map((name) => files.text(`${folder}${name}`)));
    return texts.some((text) => text?.includes("fumadocs"));
  },
  isNavigationFile,
  editableKeys: (pathInDocs) => (NEXT_CONFIG_NAMES.includes(pathInDocs) ? ["redirects"] : undefined),
  open,
};
