import { readConfigFile, type ConfigFile } from "../../config/config-file.ts";
import { booleanValue, items, property, stringValue, type Literal } from "../../config/literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { folderOf, joinPath } from "../../paths.ts";
import { readRedirectMap, type RedirectList } from "../navigation/redirects.ts";

export const CONFIG_NAMES = ["mkdocs.yml", "mkdocs.yaml"];

export interface MkdocsConfig {
  file: ConfigFile;
  /** Folder of the pages from the root of the repository. */
  docsFolder: string;
  useDirectoryUrls: boolean;
  /** The path of the site's address, e.g. `/project`; undefined where it is not known. */
  sitePath: string | undefined;
  /** `/a.md` counts from the docs folder. */
  absoluteIsFromDocs: boolean;
  /** gitignore patterns of files that are not built. */
  excluded: string;
  nav: Literal | undefined;
  plugins: ReadonlySet<string>;
  redirects: RedirectList | undefined;
  /** Something may add pages that are not in the tree. */
  generates: boolean;
  /** Ids of headings keep the capitals of their text. */
  idsKeepCase: boolean;
  /** Folders that snippets are looked up in; undefined where snippets are not turned on or their folders cannot be told. */
  snippetFolders: readonly string[] | undefined;
}

/** Plugins that add pages or files to those of the docs folder. */
const GENERATES =
  /gen-files|autoapi|api-autonav|monorepo|multirepo|jupyter|typedoc|doxygen|mkdoxy|simple|gallery|exec|swagger|openapi|render-swagger|click|i18n|blogging|rss|tags|coverage|macros-plugin|projects|material\/(?:blog|tags|projects|group)|^(?:blog|tags|projects|group)$|schema_reader|kroki|drawio|static-i18n/i;

/** The names in a list of `name` and `name: { options }`. */
function namedItems(literal: Literal | undefined): Map<string, Literal | undefined> {
  const found = new Map<string, Literal | undefined>();
  for (const item of items(literal)) {
    if (item.kind === "string") found.set(item.value, undefined);
    if (item.kind === "object") for (const { key, value } of item.properties) found.set(key, value);
  }
  if (literal?.kind === "object") for (const { key, value } of literal.properties) found.set(key, value);
  return found;
}

/** A function of the site's own makes the ids of headings, and nothing says that it makes small letters. */
function keepsCase(file: ConfigFile, slugify: Literal | undefined): boolean {
  return slugify !== undefined && !/lower/.test(file.text.slice(slugify.start, slugify.end));
}

function snippetFolders(
  files: DocsFiles,
  extensions: ReadonlyMap<string, Literal | undefined>,
): readonly string[] | undefined {
  if (!extensions.has("pymdownx.snippets")) return undefined;
  const base = property(extensions.get("pymdownx.snippets"), "base_path");
  if (base === undefined) return [files.docsPath];
  const names = base.kind === "array" ? base.items : [base];
  const folders = names.map((name) => {
    const value = stringValue(name);
    return value === undefined ? undefined : joinPath(files.docsPath, value.replace(/^\$config_dir\/?/, "./"));
  });
  return folders.every((folder) => folder !== undefined) ? folders : undefined;
}

export async function readMkdocsConfig(files: DocsFiles): Promise<MkdocsConfig | undefined> {
  const path = CONFIG_NAMES.flatMap((name) => joinPath(files.docsPath, name) ?? []).find((name) => files.has(name));
  const file = path === undefined ? undefined : await readConfigFile(files, path);
  if (file === undefined || path === undefined) return undefined;
  const parentName = stringValue(property(file.root, "INHERIT"));
  const parentPath = parentName === undefined ? undefined : joinPath(folderOf(path), parentName);
  const parent = parentPath === undefined ? undefined : await readConfigFile(files, parentPath);
  const option = (key: string): Literal | undefined => property(file.root, key) ?? property(parent?.root, key);
  const plugins = namedItems(option("plugins"));
  const extensions = namedItems(option("markdown_extensions"));
  const siteUrl = stringValue(option("site_url"));
  const links = property(option("validation"), "links") ?? option("validation");
  const redirectMap = property(plugins.get("redirects"), "redirect_maps");
  const redirectsFile = property(file.root, "plugins") === undefined && parent !== undefined ? parent : file;
  return {
    file,
    docsFolder: joinPath(files.docsPath, stringValue(option("docs_dir")) ?? "docs") ?? "docs",
    useDirectoryUrls: booleanValue(option("use_directory_urls")) ?? true,
    sitePath:
      siteUrl === undefined || siteUrl === ""
        ? undefined
        : siteUrl.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/\/+$/, ""),
    absoluteIsFromDocs: stringValue(property(links, "absolute_links")) === "relative_to_docs",
    excluded: [stringValue(option("exclude_docs")) ?? "", stringValue(option("draft_docs")) ?? ""].join("\n"),
    nav: property(file.root, "nav"),
    plugins: new Set(plugins.keys()),
    redirects: readRedirectMap(redirectsFile, redirectMap),
    generates:
      option("hooks") !== undefined ||
      [...plugins.keys()].some((name) => GENERATES.test(name)) ||
      option("plugins")?.kind === "unknown" ||
      (parentName !== undefined && parent === undefined),
    idsKeepCase: keepsCase(file, property(extensions.get("toc"), "slugify")),
    snippetFolders: snippetFolders(files, extensions),
  };
}
