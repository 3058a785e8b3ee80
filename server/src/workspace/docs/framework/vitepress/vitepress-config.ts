import { followImport, readConfigFile, type ConfigFile, type PlacedLiteral } from "../../config/config-file.ts";
import { booleanValue, property, stringValue, strings, unwrapped, type Literal } from "../../config/literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { baseName, folderOf, isUnder, joinPath } from "../../paths.ts";

const SUFFIXES = ["ts", "mts", "js", "mjs", "cts", "cjs"];

/** Paths that VitePress looks for its configuration at, from the site's folder. */
export const CONFIG_PATHS = SUFFIXES.flatMap((suffix) => [
  `.vitepress/config.${suffix}`,
  `.vitepress/config/index.${suffix}`,
]);

/** Part of the theme's configuration: the sidebar or the navigation bar of one language. */
export interface ThemePart {
  kind: "nav" | "sidebar";
  value: PlacedLiteral;
}

export interface VitepressConfig {
  /** Every file that something was read of. */
  files: ConfigFile[];
  /** Folder of the pages from the root of the repository. */
  sourceFolder: string;
  excluded: readonly string[];
  base: string;
  cleanUrls: boolean;
  /** New paths by patterns of old ones, in their order; null when they cannot be read. */
  rewrites: readonly { from: string; to: string }[] | null;
  /** Links that the site declares to be right, whatever they lead to. */
  isIgnored(link: string): boolean;
  parts: ThemePart[];
  /** Folders of languages, without the root's. */
  locales: readonly string[];
}

/** The author's own words on links that may be dead: `true`, texts, and patterns as far as they are plain texts. */
function readIgnored(file: ConfigFile, literal: Literal | undefined): (link: string) => boolean {
  if (literal === undefined || booleanValue(literal) === false) return () => false;
  if (literal.kind === "string") return () => false;
  if (literal.kind !== "array" || !literal.complete) return () => true;
  const exact = new Set(strings(literal));
  const parts: string[] = [];
  for (const item of literal.items) {
    if (item.kind === "string") continue;
    const pattern = /^\/((?:[^/\\]|\\.)+)\/[a-z]*$/.exec(file.text.slice(item.start, item.end))?.[1];
    // Patterns of other sites say nothing of links within this one.
    if (pattern !== undefined && /^\^?https?\b|localhost/.test(pattern)) continue;
    const plain = pattern?.replaceAll(/^\^|\$$/g, "").replaceAll(/\\([/.-])/g, "$1");
    // Other patterns and functions may allow anything.
    if (plain === undefined || /[\\[\](){}*+?|^$]/.test(plain)) return () => true;
    parts.push(plain);
  }
  return (link) => {
    const path = link.replace(/[?#].*$/s, "").replace(/\.(?:html|md)$/, "");
    return exact.has(link) || exact.has(path) || parts.some((part) => path.includes(part));
  };
}

function readRewrites(literal: Literal | undefined): VitepressConfig["rewrites"] {
  if (literal === undefined) return [];
  if (literal.kind !== "object" || !literal.complete) return null;
  const rewrites = literal.properties.map(({ key, value }) => ({ from: key, to: stringValue(value) }));
  return rewrites.every((rewrite): rewrite is { from: string; to: string } => rewrite.to !== undefined)
    ? rewrites
    : null;
}

export async function readVitepressConfig(files: DocsFiles): Promise<VitepressConfig | undefined> {
  const inSite = (path: string): string => joinPath(files.docsPath, path) ?? path;
  const path = CONFIG_PATHS.map(inSite).find((name) => files.has(name));
  const file = path === undefined ? undefined : await readConfigFile(files, path);
  if (file === undefined) return undefined;
  const root = unwrapped(file.root);
  const read = new Map([[file.path, file]]);
  const parts: ThemePart[] = [];

  const follow = async (value: PlacedLiteral): Promise<PlacedLiteral> => {
    const found = await followImport(files, value);
    read.set(found.file.path, found.file);
    const inner = unwrapped(found.literal) ?? found.literal;
    return { file: found.file, literal: inner };
  };
  const readTheme = async (within: PlacedLiteral): Promise<void> => {
    const theme = property(within.literal, "themeConfig");
    if (theme === undefined) return;
    const placed = await follow({ file: within.file, literal: theme });
    for (const kind of ["nav", "sidebar"] as const) {
      const literal = property(placed.literal, kind);
      if (literal !== undefined) parts.push({ kind, value: await follow({ file: placed.file, literal }) });
    }
  };
  const main: PlacedLiteral = { file, literal: root ?? { kind: "unknown", start: 0, end: 0 } };
  await readTheme(main);
  const locales = property(root, "locales");
  const placedLocales = locales === undefined ? undefined : await follow({ file, literal: locales });
  if (placedLocales?.literal.kind === "object") {
    for (const { value } of placedLocales.literal.properties) {
      await readTheme(await follow({ file: placedLocales.file, literal: value }));
    }
  }
  const sourceFolder = inSite(stringValue(property(root, "srcDir")) ?? ".");
  // Since version 2, folders of pages may have a configuration of their own.
  const additional = files.paths.filter(
    (name) =>
      isUnder(name, sourceFolder) &&
      SUFFIXES.some((suffix) => baseName(name) === `config.${suffix}`) &&
      !/(?:^|\/)(?:\.vitepress|node_modules)\//.test(name) &&
      files.paths.some((page) => page.endsWith(".md") && folderOf(page) === folderOf(name)),
  );
  for (const name of additional) {
    const own = await readConfigFile(files, name);
    if (own === undefined || !own.text.includes("vitepress")) continue;
    read.set(own.path, own);
    await readTheme({ file: own, literal: unwrapped(own.root) ?? main.literal });
  }
  return {
    files: [...read.values()],
    sourceFolder,
    excluded: strings(property(root, "srcExclude")),
    base: stringValue(property(root, "base")) ?? "/",
    cleanUrls: booleanValue(property(root, "cleanUrls")) ?? false,
    rewrites: readRewrites(property(root, "rewrites")),
    isIgnored: readIgnored(file, property(root, "ignoreDeadLinks")),
    parts,
    locales: placedLocales?.literal.kind === "object" ? placedLocales.literal.properties.map(({ key }) => key) : [],
  };
}
