import type { DocsFiles } from "../../docs-files.ts";
import { isUnder } from "../../paths.ts";
import { createAnchorIndex } from "../anchor-index.ts";
import type { Framework, Site, SitePage } from "../framework.ts";
import { createNavigationEdits, isInFolder } from "../navigation/navigation-edits.ts";
import { navigationProblems } from "../navigation/navigation-problems.ts";
import { vitepressSlug } from "./vitepress-anchors.ts";
import { CONFIG_PATHS } from "./vitepress-config.ts";
import { readVitepressModel, type VitepressModel } from "./vitepress-model.ts";
import { readVitepressNavigation, routeOf } from "./vitepress-navigation.ts";
import { vitepressProfile } from "./vitepress-profile.ts";
import { resolveVitepress } from "./vitepress-resolve.ts";
import { writeVitepressLink } from "./vitepress-write.ts";

const INCLUDE = { role: "snippet", syntax: "html", element: null } as const;

/** A sidebar or a navigation bar in a file of its own, which the configuration imports. */
const OWN_FILE =
  /^\.vitepress\/(?!theme\/)(?:[\w.-]+\/)*(?:[\w-]*(?:sidebar|nav)[\w-]*\/[\w-]+|[\w-]*(?:sidebar|nav)[\w-]*)\.(?:[cm]?[jt]s|json)$/i;

/** The main configuration, those of languages beside it, and, since version 2, those of folders of pages. */
function isConfiguration(pathInDocs: string): boolean {
  if (OWN_FILE.test(pathInDocs)) return false;
  return (
    CONFIG_PATHS.includes(pathInDocs) ||
    /^\.vitepress\/(?:config|locales?)\/[\w-]+\.[cm]?[jt]s$/.test(pathInDocs) ||
    /^(?!\.)(?:[\w-]+\/)*config\.[cm]?[jt]s$/.test(pathInDocs)
  );
}

/** Pages of one language stand beside those of another. */
function languageOf({ config, pages }: VitepressModel, path: string): string {
  const first = pages.get(path)?.split("/")[0] ?? "";
  return config.locales.includes(first) ? first : "";
}

function sitePages(model: VitepressModel): SitePage[] {
  const pages = [...model.pages.keys()].map((path) => ({
    path,
    route: routeOf(model, path) ?? "/",
    partial: false,
    collection: languageOf(model, path),
  }));
  const partials = model.partials.map((path) => ({ path, route: null, partial: true, collection: "" }));
  return [...pages, ...partials].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function isNavigationFile(pathInDocs: string): boolean {
  return isConfiguration(pathInDocs) || OWN_FILE.test(pathInDocs);
}

async function open(files: DocsFiles): Promise<Site> {
  const model = await readVitepressModel(files);
  const { config, facts } = model;
  const pages = sitePages(model);
  const navigation = await readVitepressNavigation(model, pages);
  return {
    pages,
    facts,
    resolve: (fromPath, path, link) => resolveVitepress(model, fromPath, path, link),
    write: (fromPath, toPath, like, link) => writeVitepressLink(model, fromPath, toPath, like, link),
    normalizeAnchor: vitepressSlug,
    anchors: createAnchorIndex(facts, {
      importedPage: () => undefined,
      included: (path, page) =>
        page.links.flatMap((link) => {
          const found = link.role === "snippet" ? resolveVitepress(model, path, link.url, INCLUDE) : undefined;
          return found?.type === "page" ? [found.path] : [];
        }),
      generatesIds: () => model.transformsMarkdown,
    }),
    configurationProblems: () => navigationProblems(navigation),
    ...createNavigationEdits({
      navigation,
      isEditable: (path) => isInFolder(path, files.docsPath, isNavigationFile),
      redirects: undefined,
      target(path) {
        const route = isUnder(path, config.sourceFolder) ? routeOf(model, path) : undefined;
        return route === undefined ? undefined : { path, route };
      },
      redirectFor: () => undefined,
    }),
  };
}

/** VitePress 1 and 2. Its configuration is read, never run: what does not stand in it literally is not checked. */
export const vitepress: Framework = {
  name: "vitepress",
  profile: vitepressProfile,
  folders: (paths) =>
    paths
      .filter((path) => CONFIG_PATHS.some((name) => path === name || path.endsWith(`/${name}`)))
      .map((path) => path.replace(/(?:^|\/)\.vitepress\/.*$/, "")),
  isNavigationFile,
  editableKeys: (pathInDocs) => (isConfiguration(pathInDocs) ? ["nav", "sidebar"] : undefined),
  open,
};
