import type { DocsFiles } from "../../docs-files.ts";
import type { Problem } from "../../problem.ts";
import { baseName, folderOf, isPagePath, isUnder } from "../../paths.ts";
import { createAnchorIndex } from "../anchor-index.ts";
import type { Framework, Site, SitePage } from "../framework.ts";
import { createNavigationEdits, isInFolder } from "../navigation/navigation-edits.ts";
import { navigationProblems, redirectProblems } from "../navigation/navigation-problems.ts";
import { bareRoute } from "../route.ts";
import { CONFIG_NAMES } from "./starlight-config.ts";
import { readStarlightModel, type StarlightModel } from "./starlight-model.ts";
import { logoProblems, readStarlightNavigation } from "./starlight-navigation.ts";
import { routeOf } from "./starlight-pages.ts";
import { starlightProfile } from "./starlight-profile.ts";
import { resolveStarlight } from "./starlight-resolve.ts";
import { writeStarlightLink } from "./starlight-write.ts";

/** Components that bring no ids beyond those in the text between their tags. */
const NO_IDS = /^@astrojs\/starlight\/|^astro:|\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|json|txt|mp4)(?:\?|$)|\?raw$/;

/** A sidebar or redirects in a file of their own, which the configuration imports. */
const OWN_FILE = /^(?:(?:src|config)\/)?(?:astro\.)?(?:sidebar|redirects)\.(?:[cm]?[jt]s|json)$/;

function sitePages(model: StarlightModel): SitePage[] {
  const { config, pages, otherPages, partials, facts } = model;
  const documents = [...pages.values()]
    .filter(({ path }) => facts.has(path))
    .map(({ path, route, locale }) => ({ path, route, partial: false, collection: locale }));
  const others = [...otherPages].map(([path, route]) => ({ path, route, partial: false, collection: "pages" }));
  const rest = partials.map((path) => ({
    path,
    route: null,
    partial: true,
    collection: isUnder(path, config.contentFolder) ? "partials" : "others",
  }));
  return [...documents, ...others, ...rest].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Starlight's schema of pages asks for a title; a build without one fails. */
function titleProblems({ pages, facts }: StarlightModel): Problem[] {
  return [...pages.keys()].flatMap((path): Problem[] => {
    const page = facts.get(path);
    if (page === undefined || page.problems.length > 0 || page.frontMatter["title"] !== undefined) return [];
    return [
      {
        kind: "front-matter",
        path,
        line: 1,
        column: 1,
        message: "The front matter has no `title`, and Starlight needs one.",
      },
    ];
  });
}

function isNavigationFile(pathInDocs: string): boolean {
  return CONFIG_NAMES.includes(pathInDocs) || OWN_FILE.test(pathInDocs);
}

async function open(files: DocsFiles): Promise<Site> {
  const model = await readStarlightModel(files);
  const { config, addresses, facts } = model;
  const pages = sitePages(model);
  const navigation = readStarlightNavigation(model, pages);
  const imported = { role: "import", syntax: "script", element: null } as const;
  const target = (path: string): { path: string; route: string } | undefined => {
    if (!isUnder(path, config.contentFolder) || !isPagePath(path) || baseName(path).startsWith("_")) return undefined;
    return {
      path,
      route: model.pages.get(path)?.route ?? routeOf(path.slice(config.contentFolder.length + 1), facts.get(path)),
    };
  };
  return {
    pages,
    facts,
    resolve: (fromPath, path, link) => resolveStarlight(model, fromPath, path, link),
    write: (fromPath, toPath, like, link) => writeStarlightLink(model, fromPath, toPath, like, link),
    normalizeAnchor: (anchor) => anchor,
    anchors: createAnchorIndex(facts, {
      importedPage(fromPath, source) {
        const found = resolveStarlight(model, fromPath, source, imported);
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
        isPattern: (path) => /[[*]/.test(path),
      }),
      ...logoProblems(model),
      ...titleProblems(model),
    ],
    ...createNavigationEdits({
      navigation,
      isEditable: (path) => isInFolder(path, files.docsPath, isNavigationFile),
      redirects: model.redirects,
      target,
      redirectFor: (from, to) => ({ from: from.route, to: to.route, normalize: bareRoute }),
    }),
  };
}

/** Starlight on Astro. Its configuration is read, never run: what does not stand in it literally is not checked. */
export const starlight: Framework = {
  name: "starlight",
  profile: starlightProfile,
  folders: (paths) => paths.filter((path) => CONFIG_NAMES.includes(baseName(path))).map(folderOf),
  async confirm(files) {
    const folder = files.docsPath === "" ? "" : `${files.docsPath}/`;
    const texts = await Promise.all(CONFIG_NAMES.map((name) => files.text(`${folder}${name}`)));
    return texts.some((text) => text?.includes("@astrojs/starlight"));
  },
  isNavigationFile,
  editableKeys: (pathInDocs) => (CONFIG_NAMES.includes(pathInDocs) ? ["sidebar", "redirects"] : undefined),
  open,
};
