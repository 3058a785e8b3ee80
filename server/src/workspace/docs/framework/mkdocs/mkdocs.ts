import type { DocsFiles } from "../../docs-files.ts";
import { baseName, folderOf, isPagePath, isUnder, joinPath } from "../../paths.ts";
import type { PageAnchors } from "../../page/markdown-profile.ts";
import { createAnchorIndex } from "../anchor-index.ts";
import type { Framework, Resolution, Site, SitePage } from "../framework.ts";
import { createNavigationEdits, isInFolder } from "../navigation/navigation-edits.ts";
import { navigationProblems, redirectProblems } from "../navigation/navigation-problems.ts";
import { CONFIG_NAMES } from "./mkdocs-config.ts";
import { readMkdocsModel, type MkdocsModel } from "./mkdocs-model.ts";
import { readMkdocsNavigation } from "./mkdocs-navigation.ts";
import { mkdocsProfile } from "./mkdocs-profile.ts";
import { resolveMkdocs } from "./mkdocs-resolve.ts";
import { writeMkdocsLink } from "./mkdocs-write.ts";

const SNIPPET = { role: "snippet", syntax: "html", element: null } as const;

function sitePages(model: MkdocsModel): SitePage[] {
  const pages = [...model.pages].map(([path, route]) => ({ path, route, partial: false, collection: "" }));
  const partials = model.partials.map((path) => ({ path, route: null, partial: true, collection: "partials" }));
  return [...pages, ...partials].sort((left, right) => (left.path < right.path ? -1 : 1));
}

/** Redirects name files of the docs, as links do. */
function redirectTarget(model: MkdocsModel, to: string): Resolution {
  if (/^[a-z]+:|^\//i.test(to)) return { type: "unknown" };
  const path = joinPath(model.config.docsFolder, to.replace(/[#?].*$/s, ""));
  if (path !== undefined && model.pages.has(path)) return { type: "page", path };
  return model.config.generates || !/\.md$/i.test(to.replace(/#.*$/, "")) ? { type: "unknown" } : { type: "missing" };
}

function isNavigationFile(pathInDocs: string): boolean {
  return CONFIG_NAMES.includes(pathInDocs);
}

async function open(files: DocsFiles): Promise<Site> {
  const model = await readMkdocsModel(files);
  const { config, facts } = model;
  const pages = sitePages(model);
  const navigation = readMkdocsNavigation(model, pages);
  const normalize = (written: string): string => written.replace(/^\.\//, "");
  const anchors = createAnchorIndex(facts, {
    importedPage: () => undefined,
    included: (path, page) =>
      page.links.flatMap((link) => {
        const found = link.role === "snippet" ? resolveMkdocs(model, path, link.url, SNIPPET) : undefined;
        return found?.type === "page" ? [found.path] : [];
      }),
    // What a snippet of another kind, or one that cannot be told, brings in may have headings.
    generatesIds: (path, page) =>
      page.links.some((link) => {
        const found = link.role === "snippet" ? resolveMkdocs(model, path, link.url, SNIPPET) : undefined;
        return (
          found?.type === "unknown" || (found?.type === "file" && /\.(?:md|txt|html)$|\/[^./]+$/i.test(found.path))
        );
      }),
  });
  const inSmallLetters = (path: string): PageAnchors => {
    const { ids, open: isOpen } = anchors(path);
    return { ids: [...ids, ...ids.map((id) => id.toLowerCase())], open: isOpen };
  };
  return {
    pages,
    facts,
    resolve: (fromPath, path, link) => resolveMkdocs(model, fromPath, path, link),
    write: (fromPath, toPath, like, link) => writeMkdocsLink(model, fromPath, toPath, like, link),
    normalizeAnchor: (anchor) => (config.idsKeepCase ? anchor.toLowerCase() : anchor),
    anchors: config.idsKeepCase ? inSmallLetters : anchors,
    configurationProblems: () => [
      ...navigationProblems(navigation),
      ...redirectProblems(config.redirects, {
        normalize,
        hidesPage: (from) => model.pages.has(joinPath(config.docsFolder, normalize(from)) ?? ""),
        resolve: (to) => redirectTarget(model, to),
        isPattern: (path) => path.includes("*"),
      }),
    ],
    ...createNavigationEdits({
      navigation,
      isEditable: (path) => isInFolder(path, files.docsPath, isNavigationFile),
      redirects: config.redirects,
      target: (path) =>
        isUnder(path, config.docsFolder) && isPagePath(path) ? { path, route: model.routeOf(path) } : undefined,
      redirectFor: (from, to) => ({ from: model.inDocs(from.path), to: model.inDocs(to.path), normalize }),
    }),
  };
}

/** MkDocs, with Material for MkDocs and the plugins that are used with them most. */
export const mkdocs: Framework = {
  name: "mkdocs",
  profile: mkdocsProfile,
  folders: (paths) => paths.filter((path) => CONFIG_NAMES.includes(baseName(path))).map(folderOf),
  isNavigationFile,
  editableKeys: (pathInDocs) => (CONFIG_NAMES.includes(pathInDocs) ? ["nav", "redirect_maps"] : undefined),
  open,
};
