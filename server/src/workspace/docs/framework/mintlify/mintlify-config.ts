import { readConfigFile, type ConfigFile } from "../../config/config-file.ts";
import {
  at,
  items,
  property,
  stringValue,
  type Literal,
  type LiteralArray,
  type LiteralString,
} from "../../config/literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { folderOf, joinPath } from "../../paths.ts";

/** A page named by the navigation: an item of `pages`, or a group's `root`. */
export interface NavigationEntry {
  file: ConfigFile;
  literal: LiteralString;
  /** The array it is an item of; undefined for a `root`. */
  array: LiteralArray | undefined;
}

export interface NavigationGroup {
  file: ConfigFile;
  name: string;
  pages: LiteralArray;
}

export interface MintlifyRedirect {
  file: ConfigFile;
  source: LiteralString;
  destination: LiteralString;
  index: number;
}

export interface MintlifyConfig {
  /** docs.json or mint.json, then the files it pulls in with `$ref`. */
  files: ConfigFile[];
  main: ConfigFile;
  entries: NavigationEntry[];
  groups: NavigationGroup[];
  /** Links of the navigation: anchors, tabs, global links. */
  hrefs: { file: ConfigFile; literal: LiteralString }[];
  images: { file: ConfigFile; literal: LiteralString }[];
  redirects: MintlifyRedirect[];
  redirectsArray: LiteralArray | undefined;
  /** The path that the site is served under, by its canonical address: `docs`, or `""` for the root. */
  basePath: string;
  /** Folders that pages generated from API descriptions live under, without slashes at their ends. */
  generatedFolders: string[];
  /** API descriptions in the tree. */
  apiDescriptions: string[];
}

const DEFAULT_API_FOLDER = "api-reference";

/** Walks navigation in any of its shapes: every division is an object or an array that leads to `pages`. */
async function walkNavigation(
  files: DocsFiles,
  start: ConfigFile,
  navigation: Literal,
  config: MintlifyConfig,
): Promise<void> {
  const seen = new Set([start.path]);

  const noteApi = (literal: Literal): void => {
    const sources = literal.kind === "array" ? literal.items : [literal];
    for (const source of sources) {
      const name = stringValue(source) ?? stringValue(property(source, "source"));
      if (name !== undefined) config.apiDescriptions.push(name);
      const folder = stringValue(property(source, "directory")) ?? DEFAULT_API_FOLDER;
      config.generatedFolders.push(folder.replaceAll(/^\/+|\/+$/g, ""));
    }
  };

  const walk = async (file: ConfigFile, literal: Literal, inPages: boolean): Promise<void> => {
    if (literal.kind === "array") {
      for (const item of literal.items) {
        if (item.kind === "string" && inPages) config.entries.push({ file, literal: item, array: literal });
        else await walk(file, item, inPages);
      }
    }
    if (literal.kind !== "object") return;
    const group = stringValue(property(literal, "group"));
    const pages = property(literal, "pages");
    if (group !== undefined && pages?.kind === "array") config.groups.push({ file, name: group, pages });
    for (const { key, value } of literal.properties) {
      if (key === "openapi" || key === "asyncapi") noteApi(value);
      else if (key === "root" && value.kind === "string")
        config.entries.push({ file, literal: value, array: undefined });
      else if (key === "href" && value.kind === "string") config.hrefs.push({ file, literal: value });
      else if (key === "$ref" && value.kind === "string") await follow(file, value.value, inPages);
      else await walk(file, value, key === "pages" || (inPages && value.kind === "array"));
    }
  };

  const follow = async (file: ConfigFile, reference: string, inPages: boolean): Promise<void> => {
    const path = joinPath(reference.startsWith("/") ? files.docsPath : folderOf(file.path), reference);
    if (path === undefined || seen.has(path)) return;
    seen.add(path);
    const referenced = await readConfigFile(files, path);
    if (referenced === undefined) return;
    config.files.push(referenced);
    if (referenced.root !== undefined) await walk(referenced, referenced.root, inPages);
  };

  // mint.json's navigation is an array of groups; their strings stand in `pages` only.
  await walk(start, navigation, false);
}

/** Reads docs.json, or mint.json where that is all there is, and what it refers to. */
export async function readMintlifyConfig(files: DocsFiles): Promise<MintlifyConfig | undefined> {
  const inDocs = (name: string): string => (files.docsPath === "" ? name : `${files.docsPath}/${name}`);
  const main = (await readConfigFile(files, inDocs("docs.json"))) ?? (await readConfigFile(files, inDocs("mint.json")));
  if (main === undefined) return undefined;
  const redirectsLiteral = property(main.root, "redirects");
  const config: MintlifyConfig = {
    files: [main],
    main,
    entries: [],
    groups: [],
    hrefs: [],
    images: [],
    redirects: items(redirectsLiteral).flatMap((item, index) => {
      const source = property(item, "source");
      const destination = property(item, "destination");
      return source?.kind === "string" && destination?.kind === "string"
        ? [{ file: main, source, destination, index }]
        : [];
    }),
    redirectsArray: redirectsLiteral?.kind === "array" ? redirectsLiteral : undefined,
    basePath: (stringValue(at(main.root, "seo", "metatags", "canonical")) ?? "")
      .replace(/^https?:\/\/[^/]*/, "")
      .replaceAll(/^\/+|\/+$/g, ""),
    generatedFolders: [],
    apiDescriptions: [],
  };
  for (const image of [
    ["favicon"],
    ["favicon", "light"],
    ["favicon", "dark"],
    ["logo"],
    ["logo", "light"],
    ["logo", "dark"],
  ]) {
    const literal = at(main.root, ...image);
    if (literal?.kind === "string") config.images.push({ file: main, literal });
  }
  const navigation = property(main.root, "navigation");
  if (navigation !== undefined) await walkNavigation(files, main, navigation, config);
  if (main.path.endsWith("mint.json") && property(main.root, "openapi") !== undefined) {
    config.generatedFolders.push(DEFAULT_API_FOLDER);
  }
  const api = [at(main.root, "api", "openapi"), property(main.root, "openapi")].flatMap((literal) =>
    literal?.kind === "array" ? literal.items : literal === undefined ? [] : [literal],
  );
  config.apiDescriptions.push(...api.flatMap((literal) => stringValue(literal) ?? []));
  return config;
}
