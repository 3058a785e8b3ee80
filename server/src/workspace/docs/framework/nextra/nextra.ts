import type { DocsFiles } from "../../docs-files.ts";
import { baseName, folderOf } from "../../paths.ts";
import { createAnchorIndex } from "../anchor-index.ts";
import type { Framework, Site, SitePage } from "../framework.ts";
import { createNavigationEdits, isInFolder } from "../navigation/navigation-edits.ts";
import { navigationProblems, redirectProblems } from "../navigation/navigation-problems.ts";
import { NEXT_CONFIG_NAMES } from "../next/next-config.ts";
import { writeNextLink } from "../next/next-write.ts";
import { bareRoute } from "../route.ts";
import { readNextraModel, type NextraModel } from "./nextra-model.ts";
import { readNextraNavigation } from "./nextra-navigation.ts";
import { nextraProfile } from "./nextra-profile.ts";
import { resolveNextra } from "./nextra-resolve.ts";

/** Modules that bring no ids. */
const NO_IDS =
  /^nextra(?:-theme-\w+)?(?:\/(?:components|icons))?$|^react$|^next\/|^@?lucide|\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|json|txt|mp4)$/;

function sitePages(model: NextraModel): SitePage[] {
  const pages = [...model.pages.values()].map(({ path, route, language }) => ({
    path,
    route,
    partial: false,
    collection: language,
  }));
  const partials = model.partials.map((path) => ({ path, route: null, partial: true, collection: "partials" }));
  return [...pages, ...partials].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function isNavigationFile(pathInDocs: string): boolean {
  return (
    /(?:^|\/)_meta(?:\.[\w-]+)?\.(?:json|[cm]?[jt]sx?)$/.test(pathInDocs) || NEXT_CONFIG_NAMES.includes(pathInDocs)
  );
}

async function open(files: DocsFiles): Promise<Site> {
  const model = await readNextraModel(files);
  const { facts, next, addresses } = model;
  const pages = sitePages(model);
  const navigation = await readNextraNavigation(model);
  const imported = { role: "import", syntax: "script", element: null } as const;
  const places = {
    basePath: next?.basePath ?? "/",
    publicFolders: model.publicFolders,
    languages: model.languages,
    routeAt: (path: string) => model.pages.get(path)?.route,
    linksByFile: false,
  };
  return {
    pages,
    facts,
    resolve: (fromPath, path, link) => resolveNextra(model, fromPath, path, link),
    write: (fromPath, toPath, like, link) => writeNextLink(places, fromPath, toPath, like, link),
    normalizeAnchor: (anchor) => anchor,
    anchors: createAnchorIndex(facts, {
      importedPage(fromPath, source) {
        const found = resolveNextra(model, fromPath, source, imported);
        if (found.type === "page") return found.path;
        return NO_IDS.test(source) ? null : undefined;
      },
      included: () => [],
      generatesIds: () => false,
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
        return page === undefined ? undefined : { path, route: page.route };
      },
      redirectFor: (from, to) => ({ from: from.route, to: to.route, normalize: bareRoute }),
    }),
  };
}

/** Nextra 2 to 4 on Next.js: `pages`, `content` or the app directory, and `_meta` files that order them. */
export const nextra: Framework = {
  name: "nextra",
  profile: nextraProfile,
  folders: (paths) => paths.filter((path) => NEXT_CONFIG_NAMES.includes(baseName(path))).map(folderOf),
  async confirm(files) {
    const folder = files.docsPath === "" ? "" : `${files.docsPath}/`;
    const texts = await Promise.all(NEXT_CONFIG_NAMES.map((name) => files.text(`${folder}${name}`)));
    const hasTheme = ["tsx", "jsx", "ts", "js"].some((suffix) => files.has(`${folder}theme.config.${suffix}`));
    return hasTheme || texts.some((text) => /["']nextra["']|@theguild\/components/.test(text ?? ""));
  },
  isNavigationFile,
  editableKeys: (pathInDocs) => (NEXT_CONFIG_NAMES.includes(pathInDocs) ? ["redirects"] : undefined),
  open,
};
