import { parseJson } from "../../config/json-literal.ts";
import { at, stringValue } from "../../config/literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import type { PageFacts } from "../../page/page-facts.ts";
import type { PageFormat } from "../../page/markdown-profile.ts";
import { baseName, isPagePath, isUnder, joinPath } from "../../paths.ts";
import { readDocusaurusConfig, type DocusaurusConfig } from "./docusaurus-config.ts";
import {
  documentOf,
  pagesOfVersion,
  ROUTE_FIELDS,
  versionsOf,
  type Document,
  type DocsVersion,
} from "./docusaurus-documents.ts";
import { createRoutes, pageFileRoute, type Routes } from "./docusaurus-routes.ts";
import { readSidebars, type Sidebars } from "./docusaurus-sidebars.ts";

/** Everything of a Docusaurus site that its files tell. */
export interface DocusaurusModel {
  files: DocsFiles;
  config: DocusaurusConfig | undefined;
  facts: ReadonlyMap<string, PageFacts>;
  versions: readonly DocsVersion[];
  documents: ReadonlyMap<string, Document>;
  partials: ReadonlySet<string>;
  /** Markdown of the blogs and of `src/pages`: checked, and not documentation. */
  others: readonly string[];
  otherRoutes: ReadonlyMap<string, string>;
  sidebars: readonly Sidebars[];
  routes: Routes;
}

const NO_CONFIG: DocusaurusConfig = {
  file: { path: "", text: "", root: undefined, problem: undefined },
  baseUrl: "/",
  trailingSlash: undefined,
  staticFolders: ["static"],
  locales: [],
  docs: [],
  blogs: [],
  pagesFolder: "src/pages",
  redirects: [],
  redirectsArray: undefined,
  math: false,
  ownRemarkPlugins: false,
  detectsFormat: false,
  complete: false,
  generatedFolders: [],
  generatesSomewhere: false,
};

/** Slugs of generated category pages: `_category_.json` and `.yml` files. */
async function categorySlugs(files: DocsFiles, versions: readonly DocsVersion[]): Promise<string[]> {
  const slugs: string[] = [];
  for (const path of files.paths) {
    if (!/^_category_\.(?:json|ya?ml)$/.test(baseName(path)) || !versions.some(({ folder }) => isUnder(path, folder)))
      continue;
    const text = (await files.text(path)) ?? "";
    const slug = path.endsWith(".json")
      ? stringValue(at(parseJson(text).root, "link", "slug"))
      : /^\s+slug:\s*["']?([^\s"']+)/m.exec(text)?.[1];
    if (slug !== undefined) slugs.push(slug);
  }
  return slugs;
}

export async function readDocusaurusModel(files: DocsFiles): Promise<DocusaurusModel> {
  const config = await readDocusaurusConfig(files);
  const known = config ?? NO_CONFIG;
  const versions: DocsVersion[] = [];
  const documentPaths: { path: string; version: DocsVersion }[] = [];
  const partials = new Set<string>();
  for (const options of known.docs) {
    for (const version of await versionsOf(files, options, known.locales)) {
      versions.push(version);
      const { pages, partials: others } = pagesOfVersion(files, version, options);
      documentPaths.push(...pages.map((path) => ({ path, version })));
      for (const path of others) partials.add(path);
    }
  }
  const taken = new Set([...documentPaths.map(({ path }) => path), ...partials]);
  const others = files.paths.filter(
    (path) =>
      isPagePath(path) &&
      !taken.has(path) &&
      (isUnder(path, known.pagesFolder) || known.blogs.some((blog) => isUnder(path, blog.path))),
  );
  const format = (path: string): PageFormat => (known.detectsFormat && /\.md$/i.test(path) ? "md" : "mdx");
  const facts = await files.readPages([...taken, ...others].sort(), {
    framework: "docusaurus",
    format,
    math: known.math,
    routeFields: ROUTE_FIELDS,
  });
  const documents = new Map<string, Document>();
  for (const { path, version } of documentPaths) documents.set(path, documentOf(path, version, facts.get(path)));
  const otherRoutes = new Map<string, string>();
  for (const path of files.paths) {
    const route = pageFileRoute(path, known.pagesFolder);
    if (route !== undefined) otherRoutes.set(route, path);
  }
  const sidebars: Sidebars[] = [];
  for (const version of versions) {
    const read = await readSidebars(files, version);
    if (read !== undefined) sidebars.push(read);
  }
  const generated = [...sidebars.flatMap(({ slugs }) => slugs), ...(await categorySlugs(files, versions))];
  const routes = createRoutes(files, known, {
    documents: [...documents.values()],
    versions,
    otherPages: otherRoutes,
    generated,
  });
  return { files, config, facts, versions, documents, partials, others, otherRoutes, sidebars, routes };
}

/** True where a plugin may write this file at build time, so that it is not missed. */
export function mayBeGenerated(model: DocusaurusModel, path: string): boolean {
  const { config, files } = model;
  if (config === undefined) return true;
  if (config.generatedFolders.some((folder) => isUnder(path, folder))) return true;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return config.generatesSomewhere && !files.hasFolder(folder);
}

/** The folders that a page's file links are looked up in, besides its own: its version's, the original's, the site's. */
export function contentFolders(model: DocusaurusModel, fromPath: string): string[] {
  const version =
    model.documents.get(fromPath)?.version ?? model.versions.find(({ folder }) => isUnder(fromPath, folder));
  const original = model.versions.find(
    ({ key, locale }) => locale === null && version?.key.startsWith(`${key}/`) === true,
  );
  const blog = model.config?.blogs.find(({ path }) => isUnder(fromPath, path));
  return [version?.folder, original?.folder, blog?.path, model.files.docsPath].filter((folder) => folder !== undefined);
}

export function inSite(model: DocusaurusModel, path: string): string | undefined {
  return joinPath(model.files.docsPath, path);
}
