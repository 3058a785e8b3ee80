import { posix } from "node:path";
import { matchPaths } from "../../../path-glob.ts";
import { parseJson } from "../../config/json-literal.ts";
import { at, property, stringValue, strings } from "../../config/literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import type { PageFacts } from "../../page/page-facts.ts";
import { baseName, folderOf, isPagePath, isUnder, joinPath, withoutPageSuffix } from "../../paths.ts";
import type { DocsPluginOptions } from "./docusaurus-config.ts";

/** One version of one docs plugin instance, in one language. */
export interface DocsVersion {
  key: string;
  instance: string;
  name: string;
  locale: string | null;
  /** Folder in the repository. */
  folder: string;
  /** Without `baseUrl`; `/` at both ends never. */
  route: string;
  /** Undefined when none is named, null when its name cannot be read. */
  sidebarPath: string | null | undefined;
}

export interface Document {
  path: string;
  version: DocsVersion;
  /** The id that sidebars name it by. */
  id: string;
  /** As links resolve against it: an index page's ends in `/`. */
  route: string;
}

/** `01-intro` -> `intro`, but not dates and version numbers. The rule is Docusaurus' own default. */
function withoutNumberPrefix(name: string): string {
  if (/^\d+[-_.]\d+/.test(name)) return name;
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(name)?.[1] ?? name;
}

function joinRoute(...parts: string[]): string {
  const joined = posix.join("/", ...parts);
  return joined === "" ? "/" : joined;
}

/** What `documentOf` reads of the front matter. */
export const ROUTE_FIELDS: readonly string[] = ["id", "slug", "parse_number_prefixes"];

/** Id and route of a page, from its place, its front matter and the version it belongs to. */
export function documentOf(path: string, version: DocsVersion, facts: PageFacts | undefined): Document {
  const frontMatter: PageFacts["frontMatter"] = facts?.frontMatter ?? {};
  const source = path.slice(version.folder === "" ? 0 : version.folder.length + 1);
  const stripped = frontMatter["parse_number_prefixes"] !== false;
  const strip = (name: string): string => (stripped ? withoutNumberPrefix(name) : name);
  const folder = folderOf(source);
  const fileName = withoutPageSuffix(baseName(source));
  const frontMatterId = frontMatter["id"];
  const baseId =
    typeof frontMatterId === "string" || typeof frontMatterId === "number" ? String(frontMatterId) : strip(fileName);
  const folders = folder === "" ? [] : folder.split("/").map(strip);
  const slug = frontMatter["slug"];
  const wantedSlug = typeof slug === "string" || typeof slug === "number" ? String(slug) : undefined;
  const isIndex = ["index", "readme", folderOf(source) === "" ? undefined : baseName(folder).toLowerCase()].includes(
    fileName.toLowerCase(),
  );
  const folderSlug = folders.length === 0 ? "/" : `/${folders.join("/")}/`;
  const ownSlug = wantedSlug?.startsWith("/")
    ? wantedSlug
    : wantedSlug === undefined && isIndex
      ? folderSlug
      : posix.join(folderSlug, wantedSlug ?? baseId);
  return { path, version, id: [...folders, baseId].join("/"), route: joinRoute(version.route, ownSlug) };
}

const DEFAULT_EXCLUDE = ["**/_*.{js,jsx,ts,tsx,md,mdx}", "**/_*/**", "**/*.test.{js,jsx,ts,tsx}", "**/__tests__/**"];

/** The pages of a version, and the partials that lie among them. */
export function pagesOfVersion(
  files: DocsFiles,
  version: DocsVersion,
  options: DocsPluginOptions,
): { pages: string[]; partials: string[] } {
  const exclude = property(options.options, "exclude");
  const globs = exclude === undefined ? DEFAULT_EXCLUDE : strings(exclude);
  const all = files.paths.filter((path) => isPagePath(path) && isUnder(path, version.folder));
  const inside = (path: string): string => path.slice(version.folder === "" ? 0 : version.folder.length + 1);
  const matching = matchPaths(all.map(inside), globs, { dot: false });
  // Globs that cannot be matched exclude nothing.
  const isExcluded = (path: string): boolean => "has" in matching && matching.has(inside(path));
  return { pages: all.filter((path) => !isExcluded(path)), partials: all.filter(isExcluded) };
}

/** Every version of a docs plugin instance, translations among them. */
export async function versionsOf(
  files: DocsFiles,
  options: DocsPluginOptions,
  locales: readonly string[],
): Promise<DocsVersion[]> {
  const prefix = options.id === "default" ? "" : `${options.id}_`;
  const inSite = (path: string): string => joinPath(files.docsPath, path) ?? path;
  const listed = strings(parseJson((await files.text(inSite(`${prefix}versions.json`))) ?? "[]").root);
  const includeCurrent = property(options.options, "includeCurrentVersion");
  const withCurrent = includeCurrent?.kind !== "scalar" || includeCurrent.value !== false;
  const only = property(options.options, "onlyIncludeVersions");
  const names = [...(withCurrent && !listed.includes("current") ? ["current"] : []), ...listed].filter(
    (name) => only?.kind !== "array" || strings(only).includes(name),
  );
  const last =
    stringValue(property(options.options, "lastVersion")) ?? names.find((name) => name !== "current") ?? "current";
  const plugin =
    options.id === "default" ? "docusaurus-plugin-content-docs" : `docusaurus-plugin-content-docs-${options.id}`;
  return names.flatMap((name) => {
    const part =
      stringValue(at(options.options, "versions", name, "path")) ??
      (name === last ? "" : name === "current" ? "next" : name);
    const route = joinRoute(options.routeBasePath, part).replace(/(.)\/$/, "$1");
    const own: DocsVersion = {
      key: `${options.id}/${name}`,
      instance: options.id,
      name,
      locale: null,
      folder: name === "current" ? options.path : inSite(`${prefix}versioned_docs/version-${name}`),
      route,
      sidebarPath:
        name === "current" ? options.sidebar : inSite(`${prefix}versioned_sidebars/version-${name}-sidebars.json`),
    };
    const translations = locales.map((locale) => ({
      ...own,
      key: `${own.key}/${locale}`,
      locale,
      folder: inSite(`i18n/${locale}/${plugin}/${name === "current" ? "current" : `version-${name}`}`),
      route: joinRoute(locale, route),
      sidebarPath: undefined,
    }));
    return [own, ...translations.filter(({ folder }) => files.hasFolder(folder))];
  });
}
