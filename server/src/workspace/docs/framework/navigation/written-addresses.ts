import type { ConfigFile } from "../../config/config-file.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { folderOf, joinPath } from "../../paths.ts";
import { bareRoute } from "../route.ts";

/** Addresses that a site's configuration names: where its redirects are made by code, any of them may lead somewhere. */
export interface WrittenAddresses {
  routes: ReadonlySet<string>;
  /** Folders under which a pattern matches. */
  folders: readonly string[];
}

const STRING = /["'`](\/[^"'`\n\\]{0,500})["'`]/g;
const SUFFIXES = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".json", "/index.js", "/index.ts"];
/** Redirects of the platforms that sites are served by. */
const PLATFORM_FILES = ["vercel.json", "netlify.toml", "public/_redirects", "_redirects", "static/_redirects"];

/** What stands before the first part that matches more than one address; undefined for a pattern of everything or a suffix. */
function folderOfPattern(address: string): string | undefined {
  const at = address.search(/[:*([]|\$\{/);
  const folder = bareRoute(address.slice(0, address.lastIndexOf("/", at)));
  return folder === "/" || /\.(?:mdx?|txt|xml|json)$/.test(address) ? undefined : folder;
}

/** `source: "…"`, `from = "…"`, a key, or the first of a pair: what is led away from, not where to. */
function isSource(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  return /(?:\b(?:source|from)["']?\s*[:=]\s*|\[\s*|^|\n)$/.test(before) || /^\s*:/.test(text.slice(end, end + 10));
}

/** Every address in the configuration, in the files that it imports, and in those of the platform. */
export async function readWrittenAddresses(
  files: DocsFiles,
  config: ConfigFile | undefined,
): Promise<WrittenAddresses> {
  const texts: string[] = [];
  if (config !== undefined) {
    texts.push(config.text);
    for (const [, source = ""] of config.text.matchAll(
      /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["'](\.[^"'\n]+)["']/g,
    )) {
      const target = joinPath(folderOf(config.path), source);
      const path = SUFFIXES.map((suffix) => `${target}${suffix}`).find((name) => files.has(name));
      const text = path === undefined ? undefined : await files.text(path);
      if (text !== undefined) texts.push(text);
    }
  }
  for (const folder of new Set([files.docsPath, ""])) {
    for (const name of PLATFORM_FILES) {
      const path = joinPath(folder, name);
      const text = path === undefined ? undefined : await files.text(path);
      if (text !== undefined)
        texts.push(name.endsWith("_redirects") ? text.replaceAll(/^(\/\S*)\s.*$/gm, '"$1"') : text);
    }
  }
  const routes = new Set<string>();
  const folders = new Set<string>();
  for (const text of texts) {
    for (const match of text.matchAll(STRING)) {
      const address = (match[1] ?? "").replace(/[?#].*$/, "");
      if (!/[:*([]|\$\{/.test(address)) routes.add(bareRoute(address));
      else if (isSource(text, match.index, match.index + match[0].length)) {
        const folder = folderOfPattern(address);
        if (folder !== undefined) folders.add(folder);
      }
    }
  }
  return { routes, folders: [...folders] };
}
