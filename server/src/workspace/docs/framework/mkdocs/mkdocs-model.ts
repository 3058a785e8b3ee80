import ignore from "ignore";
import type { DocsFiles } from "../../docs-files.ts";
import type { PageFacts } from "../../page/page-facts.ts";
import { baseName, folderOf, isUnder, joinPath } from "../../paths.ts";
import { createAddresses, type Addresses } from "../addresses.ts";
import { bareRoute } from "../route.ts";
import { readMkdocsConfig, type MkdocsConfig } from "./mkdocs-config.ts";

/** Everything of an MkDocs site that its files tell. */
export interface MkdocsModel {
  files: DocsFiles;
  config: MkdocsConfig;
  facts: ReadonlyMap<string, PageFacts>;
  /** Bare routes of pages by their paths. */
  pages: ReadonlyMap<string, string>;
  /** Markdown that pages may include. */
  partials: readonly string[];
  addresses: Addresses;
  /** Git ignores this path: the build makes what is to be there. */
  isIgnoredByGit(path: string): boolean;
  /** A file of the docs folder that is left out of the site. */
  isExcluded(path: string): boolean;
  routeOf(path: string): string;
  /** The path of a file from the docs folder. */
  inDocs(path: string): string;
}

const NO_CONFIG: Omit<MkdocsConfig, "docsFolder"> = {
  file: { path: "", text: "", root: undefined, problem: undefined },
  useDirectoryUrls: true,
  sitePath: undefined,
  absoluteIsFromDocs: false,
  excluded: "",
  nav: undefined,
  plugins: new Set(),
  redirects: undefined,
  generates: true,
  idsKeepCase: true,
  snippetFolders: undefined,
};

const PAGE = /\.(?:md|markdown|mdown|mkdn|mkd)$/i;
const PARTIAL_FOLDER = /(?:^|\/)(?:_?includes?|_?snippets?|_?partials?|_?shared|_?abbreviations?)\//i;

function isNamedIndex(path: string): boolean {
  return /^(?:index|README)\.[a-z]+$/.test(baseName(path));
}

/** Where a page lies in the site; `a/b.md` is `/a/b`, and `/a/b.html` without directory URLs is the same page. */
function routeIn(inDocs: string): string {
  const stem = inDocs.replace(PAGE, "");
  return bareRoute(isNamedIndex(inDocs) ? folderOf(stem) : stem);
}

export async function readMkdocsModel(files: DocsFiles): Promise<MkdocsModel> {
  const config = (await readMkdocsConfig(files)) ?? {
    ...NO_CONFIG,
    docsFolder: joinPath(files.docsPath, "docs") ?? "docs",
  };
  const { docsFolder } = config;
  const inDocs = (path: string): string => (docsFolder === "" ? path : path.slice(docsFolder.length + 1));
  // MkDocs leaves hidden files and the templates at the top out by default.
  const ignored = ignore({ allowRelativePaths: true }).add([".*", "/templates/"]).add(config.excluded);
  const isExcluded = (path: string): boolean => {
    const inside = inDocs(path);
    if (!isUnder(path, docsFolder) || inside === "") return true;
    if (ignored.ignores(inside)) return true;
    // Of README.md and index.md in one folder, only the latter is a page.
    return /^README\.[a-z]+$/.test(baseName(path)) && files.has(path.replace(/README\.([a-z]+)$/, "index.$1"));
  };
  const gitignore = ignore({ allowRelativePaths: true }).add((await files.text(".gitignore")) ?? "");
  const isMarkdown = (path: string): boolean => /\.md$/i.test(path);
  const own = files.paths.filter((path) => isUnder(path, docsFolder) && isMarkdown(path));
  const outside = files.paths.filter(
    (path) =>
      isUnder(path, files.docsPath) && !isUnder(path, docsFolder) && isMarkdown(path) && PARTIAL_FOLDER.test(path),
  );
  const facts = await files.readPages([...own, ...outside].sort(), { framework: "mkdocs", format: () => "md" });
  const pages = new Map(own.filter((path) => !isExcluded(path)).map((path) => [path, routeIn(inDocs(path))]));
  const hasBlog = [...config.plugins].some((name) => /(?:^|\/)blog$/.test(name));
  const addresses = createAddresses({
    files,
    base: config.sitePath === undefined || config.sitePath === "" ? "/" : config.sitePath,
    pages: new Map([...pages].map(([path, route]) => [route, path])),
    publicFolders: [docsFolder],
    redirects: new Map(
      (config.redirects?.redirects ?? []).map(({ from, to }) => [
        routeIn(from.value),
        /^[a-z]+:/i.test(to.value) ? to.value : routeIn(to.value.replace(/#.*$/, "")),
      ]),
    ),
    isGenerated: (route) =>
      /^\/(?:404(?:\.html)?|search(?:\.html)?|sitemap\.xml(?:\.gz)?|objects\.inv|assets\/.*|tags|feed_\w+\.xml|robots\.txt)$/.test(
        route,
      ) ||
      (hasBlog && /\/(?:archive|category|page|author)\/|^\/blog(?:\/|$)/.test(`${route}/`)),
    isOwned: () => !config.generates,
  });
  const taken = new Set(pages.keys());
  return {
    files,
    config,
    facts,
    pages,
    partials: [...own, ...outside].filter((path) => !taken.has(path)),
    addresses,
    isExcluded,
    isIgnoredByGit: (path) => path !== "" && gitignore.ignores(path),
    routeOf: (path) => routeIn(inDocs(path)),
    inDocs,
  };
}
