import type { Resolution } from "../framework.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { folderOf, isPagePath, isUnder, joinPath, withoutPageSuffix } from "../../paths.ts";

/** Served by Mintlify itself on every site. */
const SERVED =
  /^(?:llms(?:-full)?\.txt|sitemap\.xml|robots\.txt|skill\.md|mcp|authed\/mcp|(?:.*\/)?rss\.xml|\.well-known\/.*|_mintlify\/.*)$/;

function ancestors(path: string): string[] {
  const folder = folderOf(path);
  return folder === "" ? [] : [folder, ...ancestors(folder)];
}

export interface MintlifyPaths {
  docsPath: string;
  /** From the root of the docs, e.g. `guides/install`, to the page in the repository. */
  pageAt(path: string): string | undefined;
  fileAt(path: string): string | undefined;
  routeOf(repositoryPath: string): string;
  /** The repository's path inside the docs, or undefined outside of them. */
  inDocs(repositoryPath: string): string | undefined;
  /** The docs-relative paths that a reference may mean, best first. */
  candidates(fromPath: string, path: string): string[];
  lookUp(path: string): Resolution | undefined;
}

export function createMintlifyPaths(
  files: DocsFiles,
  pages: ReadonlySet<string>,
  generated: { folders: readonly string[]; routes: ReadonlySet<string> },
): MintlifyPaths {
  const { docsPath } = files;
  const inRepository = (path: string): string => (docsPath === "" ? path : `${docsPath}/${path}`);
  const inDocs = (path: string): string | undefined =>
    docsPath === "" ? path : path.startsWith(`${docsPath}/`) ? path.slice(docsPath.length + 1) : undefined;

  const pageAt = (path: string): string | undefined => {
    const bare = path.replaceAll(/^\/+|\/+$/g, "");
    const index = bare === "" ? "index" : `${bare}/index`;
    const stem = withoutPageSuffix(bare);
    const names = [
      `${bare}.mdx`,
      `${bare}.md`,
      ...(isPagePath(bare) ? [bare, `${stem}.mdx`, `${stem}.md`] : []),
      `${index}.mdx`,
      `${index}.md`,
    ];
    return names.map(inRepository).find((name) => pages.has(name));
  };
  const pageFolders = new Set([...pages].flatMap((page) => ancestors(page)));
  const fileAt = (path: string): string | undefined => {
    const name = inRepository(path.replace(/^\/+/, ""));
    return files.has(name) ? name : undefined;
  };

  return {
    docsPath,
    pageAt,
    fileAt,
    inDocs,
    routeOf(repositoryPath) {
      const stem = withoutPageSuffix(inDocs(repositoryPath) ?? repositoryPath);
      return `/${stem === "index" ? "" : stem.replace(/\/index$/, "")}`;
    },
    candidates(fromPath, path) {
      if (path === "") return [];
      if (path.startsWith("/")) return [path.replace(/^\/+/, "")];
      const folder = folderOf(inDocs(fromPath) ?? "");
      const relative = joinPath(folder, path);
      if (path.startsWith(".")) return relative === undefined ? [] : [relative];
      // Mintlify takes a bare path from the root of the docs, a browser from the page: either may be meant.
      return [path, ...(relative === undefined ? [] : [relative])];
    },
    lookUp(path) {
      const bare = path.replaceAll(/^\/+|\/+$/g, "");
      const page = pageAt(bare);
      if (page !== undefined) return { type: "page", path: page };
      const file = fileAt(bare);
      if (file !== undefined && !isPagePath(file)) return { type: "file", path: file };
      if (SERVED.test(bare) || generated.routes.has(`/${bare}`)) return { type: "generated" };
      if (generated.folders.some((folder) => isUnder(bare, folder))) return { type: "generated" };
      // A folder's own address leads to the first page in it.
      const folder = inRepository(bare);
      if (bare !== "" && pageFolders.has(folder)) return { type: "generated" };
      return undefined;
    },
  };
}
