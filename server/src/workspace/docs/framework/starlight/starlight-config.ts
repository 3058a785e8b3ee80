import { followImport, readConfigFile, type ConfigFile, type PlacedLiteral } from "../../config/config-file.ts";
import { booleanValue, items, property, stringValue, unwrapped, type Literal } from "../../config/literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { joinPath } from "../../paths.ts";

export const CONFIG_NAMES = ["mjs", "ts", "js", "mts", "cjs"].map((suffix) => `astro.config.${suffix}`);

export interface StarlightConfig {
  file: ConfigFile;
  base: string;
  /** `always`, `never` or `ignore`. */
  trailingSlash: string;
  /** Every page is a file, so that its address has no slash at its end. */
  buildsFiles: boolean;
  /** Folders from the root of the repository. */
  contentFolder: string;
  pagesFolder: string;
  publicFolder: string;
  /** Names of the locales' folders, without the root's. Null when they cannot be read. */
  locales: readonly string[] | null;
  /** The folder of the language that others fall back to; `""` for the root. */
  defaultLocale: string;
  sidebar: PlacedLiteral | undefined;
  redirects: Literal | undefined;
  logos: PlacedLiteral[];
  /** Nothing but pages, public files and redirects answers at an address. */
  complete: boolean;
  /** The ids of pages are made by a function of the site's own. */
  ownIds: boolean;
  /** A plugin of the site may turn links to files into addresses. */
  rewritesLinks: boolean;
}

/** Packages that add pages. */
const ADDS_PAGES =
  /blog|openapi|asyncapi|typedoc|tutorial|versions|obsidian|changelog|docsearch-page|sanity|keystatic|content-drafts|auto-?api|tags?$|-to-?pages/i;
const REWRITES_LINKS = /relative|link|markdown-url|md-?url|wiki|obsidian/i;

function importedPackages(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import|require\()\s*["']([^"'\n]+)["']/g)].map(([, source]) => source ?? "");
}

function starlightOptions(root: Literal | undefined): Literal | undefined {
  const calls = items(property(root, "integrations")).flatMap((item) =>
    item.kind === "unknown" && item.call !== undefined ? [item.call] : [],
  );
  const named = calls.find(({ name }) => name !== undefined && /starlight$/i.test(name));
  const alike = calls.find(({ arguments: [first] }) => property(first, "sidebar") !== undefined);
  return unwrapped((named ?? alike)?.arguments[0]);
}

function readLocales(options: Literal | undefined): Pick<StarlightConfig, "locales" | "defaultLocale"> {
  const locales = property(options, "locales");
  const wanted = stringValue(property(options, "defaultLocale"));
  if (locales === undefined) return { locales: [], defaultLocale: "" };
  if (locales.kind !== "object" || !locales.complete) return { locales: null, defaultLocale: "" };
  const names = locales.properties.map(({ key }) => key);
  const own = names.filter((name) => name !== "root");
  const isRoot = names.includes("root") && (wanted === undefined || wanted === "root");
  return { locales: own, defaultLocale: isRoot ? "" : (wanted ?? own[0] ?? "") };
}

export async function readStarlightConfig(files: DocsFiles): Promise<StarlightConfig | undefined> {
  const inSite = (path: string): string => joinPath(files.docsPath, path) ?? path;
  const path = CONFIG_NAMES.map(inSite).find((name) => files.has(name));
  const file = path === undefined ? undefined : await readConfigFile(files, path);
  if (file === undefined) return undefined;
  const root = unwrapped(file.root);
  const options = starlightOptions(root);
  const placed = async (literal: Literal | undefined): Promise<PlacedLiteral | undefined> =>
    literal === undefined ? undefined : followImport(files, { file, literal });
  const source = stringValue(property(root, "srcDir"))?.replace(/^\.\//, "") ?? "src";
  const packages = importedPackages(file.text);
  const collections = ["ts", "js", "mts", "mjs"].flatMap((suffix) => [
    inSite(`${source}/content.config.${suffix}`),
    inSite(`${source}/content/config.${suffix}`),
  ]);
  const collectionsText = (await Promise.all(collections.map((name) => files.text(name)))).join("\n");
  const logo = property(options, "logo");
  const logos = ["src", "light", "dark"].flatMap((key) => {
    const literal = property(logo, key);
    return literal?.kind === "string" ? [{ file, literal }] : [];
  });
  return {
    file,
    base: stringValue(property(root, "base")) ?? "/",
    trailingSlash: stringValue(property(root, "trailingSlash")) ?? "ignore",
    buildsFiles: stringValue(property(property(root, "build"), "format")) === "file",
    contentFolder: inSite(`${source}/content/docs`),
    pagesFolder: inSite(`${source}/pages`),
    publicFolder: inSite(stringValue(property(root, "publicDir"))?.replace(/^\.\//, "") ?? "public"),
    ...readLocales((await placed(property(options, "locales")))?.literal === undefined ? options : await withLocales()),
    sidebar: await placed(property(options, "sidebar")),
    redirects: property(root, "redirects"),
    logos,
    complete:
      root?.kind === "object" &&
      root.complete &&
      options?.kind === "object" &&
      property(root, "base")?.kind !== "unknown" &&
      property(options, "disable404Route") === undefined &&
      booleanValue(property(options, "prerender")) !== false &&
      !packages.some((name) => ADDS_PAGES.test(name) || isOwnIntegration(name)),
    ownIds: /generateId|glob\(/.test(collectionsText),
    rewritesLinks:
      /remarkPlugins|rehypePlugins/.test(file.text) &&
      packages.some((name) => REWRITES_LINKS.test(name) || name.startsWith(".")),
  };

  async function withLocales(): Promise<Literal | undefined> {
    const locales = await placed(property(options, "locales"));
    if (locales === undefined || options?.kind !== "object") return options;
    const properties = options.properties.map((entry) =>
      entry.key === "locales" ? { ...entry, value: locales.literal } : entry,
    );
    return { ...options, properties };
  }
}

/** Code of the site's own, which may add pages. */
function isOwnIntegration(name: string): boolean {
  return (
    name.startsWith(".") && !/\.(?:json|css)$|sidebar|locale|redirect|grammar|theme|head|remark|rehype/i.test(name)
  );
}
