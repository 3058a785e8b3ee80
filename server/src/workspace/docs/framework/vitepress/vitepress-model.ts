import { matchPaths } from "../../../path-glob.ts";
import type { DocsFiles } from "../../docs-files.ts";
import type { PageFacts } from "../../page/page-facts.ts";
import { isUnder, joinPath } from "../../paths.ts";
import { readVitepressConfig, type VitepressConfig } from "./vitepress-config.ts";
import { createRewrites } from "./vitepress-rewrites.ts";

/** Everything of a VitePress site that its files tell. */
export interface VitepressModel {
  files: DocsFiles;
  config: VitepressConfig;
  facts: ReadonlyMap<string, PageFacts>;
  /** Pages by path: their paths from the source folder as they are built, without suffix, e.g. `guide/index`. */
  pages: ReadonlyMap<string, string>;
  /** Paths of pages by what they are built as. */
  byOutput: ReadonlyMap<string, string>;
  /** Markdown that pages may include and that is no page. */
  partials: readonly string[];
  publicFolder: string;
  /** Outputs begin so where a page has a parameter: which ones there are cannot be told. */
  openStarts: readonly string[];
  /** A plugin of the site's own rewrites pages before they are parsed: headings may come from it. */
  transformsMarkdown: boolean;
  /** Where a page at this path would be built; undefined outside of the source folder. */
  outputOf(path: string): string | undefined;
}

const NO_CONFIG: Omit<VitepressConfig, "sourceFolder"> = {
  files: [],
  excluded: [],
  base: "/",
  cleanUrls: false,
  rewrites: null,
  isIgnored: () => false,
  parts: [],
  locales: [],
};

const NEVER_PAGES = /(?:^|\/)(?:node_modules|\.vitepress|\.[^/]+|dist)\//;

export async function readVitepressModel(files: DocsFiles): Promise<VitepressModel> {
  const config = (await readVitepressConfig(files)) ?? { ...NO_CONFIG, sourceFolder: files.docsPath };
  const { sourceFolder } = config;
  const inside = (path: string): string => (sourceFolder === "" ? path : path.slice(sourceFolder.length + 1));
  const all = files.paths.filter(
    (path) => path.endsWith(".md") && isUnder(path, sourceFolder) && !NEVER_PAGES.test(inside(path)),
  );
  const matching = matchPaths(all.map(inside), config.excluded, { dot: true });
  const excluded = config.excluded.length > 0 && "has" in matching ? matching : new Set<string>();
  const isPage = (path: string): boolean => !excluded.has(inside(path));
  const transformsMarkdown = await hasMarkdownTransform(files);
  const facts = await files.readPages(all, { framework: "vitepress", format: () => "md" });
  const rewrite = createRewrites(config.rewrites ?? []);
  const outputOf = (path: string): string | undefined =>
    isUnder(path, sourceFolder) ? rewrite(inside(path)).replace(/\.md$/, "") : undefined;
  const pages = new Map(
    all.filter((path) => isPage(path) && !/\[\w+\]/.test(path)).map((path) => [path, outputOf(path) ?? ""]),
  );
  const partials = all.filter((path) => !pages.has(path));
  return {
    files,
    config,
    facts,
    pages,
    byOutput: new Map([...pages].map(([path, output]) => [output, path])),
    partials,
    publicFolder: joinPath(sourceFolder, "public") ?? "public",
    openStarts: all
      .filter((path) => isPage(path) && /\[\w+\]/.test(path))
      .map((path) => (outputOf(path) ?? "").split("[")[0] ?? ""),
    transformsMarkdown,
    outputOf,
  };
}

/** Code beside the configuration that takes `.md` files and transforms them. */
async function hasMarkdownTransform(files: DocsFiles): Promise<boolean> {
  const folder = files.docsPath === "" ? "" : `${files.docsPath}/`;
  const scripts = files.paths.filter(
    (path) =>
      path.startsWith(folder) &&
      /^(?:\.vitepress\/(?!theme\/)[^/]*\/?[^/]*|vite\.config)\.[cm]?[jt]s$/.test(path.slice(folder.length)),
  );
  for (const path of scripts) {
    const text = (await files.text(path)) ?? "";
    if (/\btransform\s*[(:]/.test(text) && /\.md["'`$\\)|]/.test(text)) return true;
  }
  return false;
}
