import { folderOf, isPagePath, isUnder, joinPath, relativePath, withoutPageSuffix } from "../../paths.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { createAnchorIndex } from "../anchor-index.ts";
import type { Framework, LinkUse, Resolution, Site, SitePage } from "../framework.ts";
import { plainProfile } from "./plain-profile.ts";

const INDEX_NAMES = ["index.md", "index.mdx", "README.md", "readme.md", "_index.md"];

function routeOf(path: string, docsPath: string): string {
  const inDocs = docsPath === "" ? path : path.slice(docsPath.length + 1);
  return `/${withoutPageSuffix(inDocs).replace(/(?:^|\/)(?:index|readme|_index)$/i, "")}`;
}

/** What a path names once it is from the root: itself, a page without its suffix, or a folder's index. */
function lookUp(files: DocsFiles, path: string): Resolution | undefined {
  const html = path.replace(/\.html?$/, "");
  const names = [
    path,
    `${path}.md`,
    `${path}.mdx`,
    `${html}.md`,
    ...INDEX_NAMES.map((name) => (path === "" ? name : `${path}/${name}`)),
  ];
  const found = names.find((name) => files.has(name));
  if (found !== undefined) return isPagePath(found) ? { type: "page", path: found } : { type: "file", path: found };
  return files.hasFolder(path) ? { type: "generated" } : undefined;
}

async function open(files: DocsFiles): Promise<Site> {
  const paths = files.paths.filter(
    (path) =>
      isPagePath(path) && isUnder(path, files.docsPath) && !/(?:^|\/)(?:node_modules|\.git|vendor)\//.test(path),
  );
  const facts = await files.readPages(paths, {
    framework: "plain",
    format: (path) => (path.toLowerCase().endsWith(".mdx") ? "mdx" : "md"),
  });
  const pages: SitePage[] = paths.map((path) => ({
    path,
    route: routeOf(path, files.docsPath),
    partial: false,
    collection: "",
  }));

  const resolve = (fromPath: string, path: string, link: LinkUse): Resolution => {
    if (link.role === "import" && !/^\.{1,2}\//.test(path)) return { type: "unknown" };
    const roots = path.startsWith("/") ? [files.docsPath, ""] : [folderOf(fromPath)];
    for (const root of roots) {
      const joined = joinPath(root, path.replace(/^\/+/, ""));
      // Out of the repository, e.g. to a sibling on GitHub: nothing here can tell.
      if (joined === undefined) return { type: "unknown" };
      const found = lookUp(files, joined);
      if (found !== undefined) return found;
    }
    return link.role === "import" ? { type: "unknown" } : { type: "missing" };
  };

  return {
    pages,
    facts,
    resolve,
    write(fromPath, toPath, like) {
      const target = isPagePath(toPath) && !/\.\w+$/.test(like) ? withoutPageSuffix(toPath) : toPath;
      if (like.startsWith("/")) {
        const inDocs = files.docsPath !== "" && isUnder(toPath, files.docsPath);
        return `/${inDocs ? target.slice(files.docsPath.length + 1) : target}`;
      }
      const relative = relativePath(fromPath, target);
      return like.startsWith("./") && !relative.startsWith(".") ? `./${relative}` : relative;
    },
    normalizeAnchor: (anchor) => anchor,
    anchors: createAnchorIndex(facts, {
      importedPage: () => undefined,
      included: () => [],
      generatesIds: (_, page) => page.usesGlobalComponents,
    }),
    configurationProblems: () => [],
    followMove: () => ({ edits: new Map(), navigationEntries: 0, redirect: null }),
    addToNavigation: () => ({
      refused: "This documentation is plain Markdown: it has no navigation to add the page to.",
    }),
    removeFromNavigation: () => new Map(),
  };
}

/** Any tree of Markdown, as a code host shows it. */
export const plain: Framework = {
  name: "plain",
  profile: plainProfile,
  folders: (paths) => [paths.some((path) => path.startsWith("docs/") && isPagePath(path)) ? "docs" : ""],
  isNavigationFile: () => false,
  open,
};
