import { property, stringValue, strings, unwrapped, type Literal } from "../../config/literal.ts";
import { parseNamedExports } from "../../config/script-literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { isUnder, joinPath } from "../../paths.ts";
import { bareRoute } from "../route.ts";

export const SOURCE_CONFIG_NAMES = ["ts", "mts", "js", "mjs", "tsx"].map((suffix) => `source.config.${suffix}`);

/** A folder of pages and the address that they are served under. */
export interface Collection {
  name: string;
  /** From the root of the repository. */
  folder: string;
  /** Undefined where no loader names it: such a collection has no addresses that can be told. */
  baseUrl: string | undefined;
}

export interface FumadocsConfig {
  collections: readonly Collection[];
  languages: readonly string[];
  defaultLanguage: string;
  /** `page.de.mdx` rather than `de/page.mdx`. */
  languageInName: boolean;
  /** Pages may come from somewhere else: API descriptions, a CMS. */
  addsPages: boolean;
  /** Formulas are turned on. */
  math: boolean;
}

const DEFAULT_FOLDER = "content/docs";
const SOURCE_FILE =
  /(?:^|\/)(?:(?:lib|utils)\/(?:[\w.-]+\/)*(?:source|docs|i18n|layout)[\w.-]*|source|source\/index|i18n)\.(?:tsx?|mts|mjs|js)$/;
const ADDS_PAGES =
  /openapi|asyncapi|multiple\(|sanity|content-collections|\bdynamic|mdx-remote|typescript-docs|notion/i;

function callOf(literal: Literal | undefined): { name: string; arguments: Literal[] } | undefined {
  return literal?.kind === "unknown" && literal.call?.name !== undefined
    ? { name: literal.call.name, arguments: literal.call.arguments }
    : undefined;
}

function foldersOf(literal: Literal | undefined): string[] {
  return literal?.kind === "string" ? [literal.value] : strings(literal);
}

/** `defineDocs({ dir })` and `defineCollections({ dir })` of source.config. */
function readCollections(files: DocsFiles, text: string): Omit<Collection, "baseUrl">[] {
  return [...parseNamedExports(text, true)].flatMap(([name, literal]) => {
    const call = callOf(literal);
    if (call === undefined || !/^define(?:Docs|Collections)$/.test(call.name)) return [];
    const [options] = call.arguments;
    if (stringValue(property(options, "type")) === "meta") return [];
    const nested = property(property(options, "docs"), "dir");
    const folders = foldersOf(property(options, "dir") ?? nested);
    const wanted = folders.length > 0 ? folders : call.name === "defineDocs" ? [DEFAULT_FOLDER] : [];
    return wanted.flatMap((folder) => {
      const path = joinPath(files.docsPath, folder);
      return path === undefined ? [] : [{ name, folder: path }];
    });
  });
}

/** `loader({ baseUrl, source: docs.toFumadocsSource() })`, the source also as the first argument. */
function readLoaders(exports: ReadonlyMap<string, Literal>): { baseUrl: string; source: string | undefined }[] {
  return [...exports.values()].flatMap((literal) => {
    const call = callOf(literal);
    if (call === undefined || !/^(?:loader|createLoader|dynamicLoader)$/.test(call.name)) return [];
    const options = call.arguments.find((value) => property(value, "baseUrl") !== undefined);
    const baseUrl = stringValue(property(options, "baseUrl"));
    const source = callOf(property(options, "source")) ?? callOf(call.arguments[0]);
    const name = source?.name.split(".")[0];
    return baseUrl === undefined ? [] : [{ baseUrl: bareRoute(baseUrl), source: name }];
  });
}

export async function readFumadocsConfig(files: DocsFiles): Promise<FumadocsConfig> {
  const inSite = (path: string): string => joinPath(files.docsPath, path) ?? path;
  const texts: string[] = [];
  const read = async (path: string): Promise<string> => {
    const text = (await files.text(path)) ?? "";
    texts.push(text);
    return text;
  };
  const configPath = SOURCE_CONFIG_NAMES.map(inSite).find((path) => files.has(path));
  const collections = configPath === undefined ? [] : readCollections(files, await read(configPath));
  const loaders: ReturnType<typeof readLoaders> = [];
  const config: FumadocsConfig = {
    collections: [],
    languages: [],
    defaultLanguage: "",
    languageInName: true,
    addsPages: false,
    math: false,
  };
  for (const path of files.paths) {
    if (!isUnder(path, files.docsPath) || !SOURCE_FILE.test(path) || /(?:^|\/)node_modules\//.test(path)) continue;
    const exports = parseNamedExports(await read(path), /\.m?tsx?$/.test(path));
    loaders.push(...readLoaders(exports));
    for (const literal of exports.values()) noteLanguages(config, files, unwrapped(literal));
  }
  const found = collections.length > 0 ? collections : [{ name: "docs", folder: inSite(DEFAULT_FOLDER) }];
  const [only] = loaders;
  return {
    ...config,
    collections: found.map((collection) => ({
      ...collection,
      baseUrl:
        loaders.find(({ source }) => source === collection.name)?.baseUrl ??
        (loaders.length <= 1 && collection === (found.find(({ name }) => name === "docs") ?? found[0])
          ? (only?.baseUrl ?? "/docs")
          : undefined),
    })),
    addsPages: texts.some((text) => ADDS_PAGES.test(text)),
    math: texts.some((text) => /remark-math|remarkMath/.test(text)),
  };
}

/** Languages that pages of a folder are there in: `page.de.mdx` beside `page.mdx`. */
function languagesOfFiles(files: DocsFiles): string[] {
  const found = files.paths.flatMap((path) => {
    const [, stem, language, suffix] = /^(.*)\.([a-z]{2}(?:-[A-Za-z]{2,4})?)(\.mdx?)$/.exec(path) ?? [];
    return language !== undefined && files.has(`${stem}${suffix}`) ? [language] : [];
  });
  return [...new Set(found)];
}

function noteLanguages(config: FumadocsConfig, files: DocsFiles, literal: Literal | undefined): void {
  const languages = property(literal, "languages");
  if (languages === undefined) return;
  const own = strings(languages);
  config.languages = own.length > 0 ? own : languagesOfFiles(files);
  config.defaultLanguage = stringValue(property(literal, "defaultLanguage")) ?? config.languages[0] ?? "";
  config.languageInName = stringValue(property(literal, "parser")) !== "dir";
}
