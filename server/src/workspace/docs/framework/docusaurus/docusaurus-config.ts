import { readConfigFile, type ConfigFile } from "../../config/config-file.ts";
import {
  at,
  isFullyKnown,
  items,
  property,
  stringValue,
  strings,
  walkLiteral,
  type Literal,
  type LiteralArray,
  type LiteralString,
} from "../../config/literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { joinPath } from "../../paths.ts";

export const CONFIG_NAMES = ["js", "ts", "mjs", "cjs", "mts", "cts"].map((suffix) => `docusaurus.config.${suffix}`);

export interface DocsPluginOptions {
  id: string;
  /** Folder from the root of the repository. */
  path: string;
  routeBasePath: string;
  /** Undefined when the option is not given, null when it cannot be read. */
  sidebar: string | null | undefined;
  options: Literal | undefined;
}

export interface ClientRedirect {
  from: LiteralString;
  to: LiteralString;
  index: number;
}

export interface DocusaurusConfig {
  file: ConfigFile;
  baseUrl: string;
  trailingSlash: boolean | undefined;
  staticFolders: string[];
  locales: string[];
  docs: DocsPluginOptions[];
  blogs: { path: string; route: string }[];
  pagesFolder: string;
  redirects: ClientRedirect[];
  /** The plugin's literal list, where redirects can be added. */
  redirectsArray: LiteralArray | undefined;
  math: boolean;
  /** Remark plugins of the site's own, which may rewrite links. */
  ownRemarkPlugins: boolean;
  /** `.md` is plain Markdown rather than MDX. */
  detectsFormat: boolean;
  /** Nothing else can add pages: an address that is not known here does not exist. */
  complete: boolean;
  /** Folders that plugins write pages to at build time. */
  generatedFolders: string[];
  /** Some plugin writes pages, and where cannot be read. */
  generatesSomewhere: boolean;
}

const ADDS_NO_PAGES =
  /(?:plugin-(?:ideal-image|sitemap|google-.*|pwa|debug|svgr|css-.*|vercel-analytics|rsdoctor|client-redirects|sass|image-zoom|zooming|lunr.*)|search|analytics|gtag|tailwind|matomo|posthog|segment|plausible|hotjar|medium-zoom|llms)/i;
const GENERATES_PAGES = /openapi|typedoc|graphql|remote-content|redoc|asyncapi|protobuf|api-extractor/i;

interface Plugin {
  name: string | undefined;
  options: Literal | undefined;
}

function pluginsOf(literal: Literal | undefined): Plugin[] {
  return items(literal).map((item) =>
    item.kind === "array"
      ? { name: stringValue(item.items[0]), options: item.items[1] }
      : { name: stringValue(item), options: undefined },
  );
}

function createReader(siteFolder: string): {
  folder(literal: Literal | undefined, fallback: string): string;
  docs(options: Literal | undefined): DocsPluginOptions;
  blog(options: Literal | undefined): { path: string; route: string };
} {
  const folder = (literal: Literal | undefined, fallback: string): string =>
    joinPath(siteFolder, stringValue(literal) ?? fallback) ?? fallback;
  return {
    folder,
    docs(options) {
      const id = stringValue(property(options, "id")) ?? "default";
      const sidebar = property(options, "sidebarPath");
      return {
        id,
        path: folder(property(options, "path"), "docs"),
        routeBasePath: stringValue(property(options, "routeBasePath")) ?? "docs",
        sidebar:
          sidebar === undefined || sidebar.kind === "scalar"
            ? undefined
            : sidebar.kind === "string"
              ? folder(sidebar, "")
              : null,
        options,
      };
    },
    blog: (options) => ({
      path: folder(property(options, "path"), "blog"),
      route: stringValue(property(options, "routeBasePath")) ?? "blog",
    }),
  };
}

function isFalse(literal: Literal | undefined): boolean {
  return literal?.kind === "scalar" && literal.value === false;
}

/** The options that routes depend on are all there to be read. */
function routesAreKnown(options: Literal | undefined): boolean {
  if (options === undefined) return true;
  if (options.kind !== "object" || !options.complete) return false;
  return (
    [
      "id",
      "path",
      "routeBasePath",
      "versions",
      "lastVersion",
      "onlyIncludeVersions",
      "includeCurrentVersion",
      "include",
      "exclude",
    ].every((key) => isFullyKnown(property(options, key))) &&
    property(options, "numberPrefixParser")?.kind !== "unknown"
  );
}

function readRedirects(options: Literal | undefined): Pick<DocusaurusConfig, "redirects" | "redirectsArray"> {
  const array = property(options, "redirects");
  return {
    redirectsArray: array?.kind === "array" ? array : undefined,
    redirects: items(array).flatMap((item, index) => {
      const to = property(item, "to");
      const from = property(item, "from");
      const sources = from?.kind === "array" ? from.items : from === undefined ? [] : [from];
      return sources.flatMap((source) =>
        source.kind === "string" && to?.kind === "string" ? [{ from: source, to, index }] : [],
      );
    }),
  };
}

export async function readDocusaurusConfig(files: DocsFiles): Promise<DocusaurusConfig | undefined> {
  const path = CONFIG_NAMES.flatMap((name) => joinPath(files.docsPath, name) ?? []).find((name) => files.has(name));
  const file = path === undefined ? undefined : await readConfigFile(files, path);
  if (file === undefined) return undefined;
  const { root } = file;
  const reader = createReader(files.docsPath);
  const presets = pluginsOf(property(root, "presets"));
  const plugins = pluginsOf(property(root, "plugins"));
  const classic = presets.find(({ name }) => name === undefined || /classic/.test(name));
  const docs: DocsPluginOptions[] = [];
  const blogs: { path: string; route: string }[] = [];
  if (classic !== undefined || root === undefined || root.kind !== "object") {
    const docsOptions = property(classic?.options, "docs");
    const blogOptions = property(classic?.options, "blog");
    if (!isFalse(docsOptions)) docs.push(reader.docs(docsOptions));
    if (!isFalse(blogOptions)) blogs.push(reader.blog(blogOptions));
  }
  let complete =
    root?.kind === "object" &&
    root.complete &&
    ["presets", "plugins", "baseUrl"].every((key) => property(root, key)?.kind !== "unknown") &&
    [property(root, "presets"), property(root, "plugins")].every(
      (list) => list === undefined || (list.kind === "array" && list.complete),
    ) &&
    routesAreKnown(property(classic?.options, "docs")) &&
    presets.every(({ name }) => name !== undefined && /classic/.test(name));
  const config: DocusaurusConfig = {
    file,
    baseUrl: stringValue(property(root, "baseUrl")) ?? "/",
    trailingSlash: undefined,
    staticFolders: [],
    locales: strings(at(root, "i18n", "locales")),
    docs,
    blogs,
    pagesFolder: reader.folder(at(classic?.options, "pages", "path"), "src/pages"),
    redirects: [],
    redirectsArray: undefined,
    math: /remark-math/.test(file.text),
    ownRemarkPlugins:
      /remarkPlugins/i.test(file.text) && /(?:\bfrom|\brequire\(|\bimport\()\s*["']\.{1,2}\//.test(file.text),
    detectsFormat: ["detect", "md"].includes(stringValue(at(root, "markdown", "format")) ?? "mdx"),
    complete: false,
    generatedFolders: [],
    generatesSomewhere: false,
  };
  for (const { name, options } of plugins) {
    if (name === undefined) complete = false;
    else if (/content-docs/.test(name)) {
      docs.push(reader.docs(options));
      complete &&= routesAreKnown(options);
    } else if (/content-blog/.test(name)) blogs.push(reader.blog(options));
    else if (/client-redirects/.test(name)) Object.assign(config, readRedirects(options));
    else if (!ADDS_NO_PAGES.test(name)) {
      complete = false;
      if (GENERATES_PAGES.test(name)) noteGenerated(config, reader.folder, options);
    }
  }
  const slash = property(root, "trailingSlash");
  if (slash?.kind === "scalar" && typeof slash.value === "boolean") config.trailingSlash = slash.value;
  const folders = property(root, "staticDirectories");
  config.staticFolders = (folders === undefined ? ["static"] : strings(folders)).flatMap(
    (name) => joinPath(files.docsPath, name) ?? [],
  );
  config.complete = complete;
  return config;
}

function noteGenerated(
  config: DocusaurusConfig,
  folder: (literal: Literal | undefined, fallback: string) => string,
  options: Literal | undefined,
): void {
  let found = false;
  if (options !== undefined) {
    walkLiteral(options, (literal) => {
      if (literal.kind !== "object") return;
      for (const { key, value } of literal.properties) {
        if (!["out", "outDir", "outputDir", "docsDir", "rootPath"].includes(key) || value.kind !== "string") continue;
        found = true;
        config.generatedFolders.push(folder(value, ""));
      }
    });
  }
  config.generatesSomewhere ||= !found;
}
