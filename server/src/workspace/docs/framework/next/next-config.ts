import { readConfigFile, type ConfigFile } from "../../config/config-file.ts";
import { at, property, stringValue, strings, unwrapped } from "../../config/literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { joinPath } from "../../paths.ts";
import { bareRoute } from "../route.ts";
import { readRedirectArray, type RedirectList } from "../navigation/redirects.ts";

export const NEXT_CONFIG_NAMES = ["mjs", "ts", "js", "mts", "cjs"].map((suffix) => `next.config.${suffix}`);

export interface NextConfig {
  file: ConfigFile;
  basePath: string;
  locales: readonly string[];
  /** Undefined where redirects are made by code or there are none. */
  redirects: RedirectList | undefined;
  /** Folders that a pattern of redirects or rewrites leads away from. */
  openFolders: readonly string[];
  /** Redirects or rewrites are made by code: they may lead from anywhere to anywhere. */
  rewritesAnything: boolean;
}

/** The folder under which a pattern matches; none for those of a suffix, such as `/docs/:path*.mdx`. */
function openFolder(pattern: string): string[] {
  const start = pattern.search(/[:*(]/);
  return start === -1 || /\.\w+$/.test(pattern) ? [] : [bareRoute(pattern.slice(0, pattern.lastIndexOf("/", start)))];
}

/** What can be read of a site's next.config. */
export async function readNextConfig(files: DocsFiles): Promise<NextConfig | undefined> {
  const path = NEXT_CONFIG_NAMES.flatMap((name) => joinPath(files.docsPath, name) ?? []).find((name) =>
    files.has(name),
  );
  const file = path === undefined ? undefined : await readConfigFile(files, path);
  if (file === undefined) return undefined;
  const root = unwrapped(file.root);
  const literal = property(root, "redirects");
  const redirects = readRedirectArray(file, unwrapped(literal));
  const rewrites = readRedirectArray(file, unwrapped(property(root, "rewrites")));
  const mentions = (name: string): boolean => new RegExp(`\\b${name}\\b\\s*[:(]|\\b${name}\\b\\s*=`).test(file.text);
  const isByCode = (name: string, list: RedirectList | undefined): boolean =>
    mentions(name) && list?.extensible !== true;
  return {
    file,
    basePath: stringValue(property(root, "basePath")) ?? "/",
    locales: strings(at(root, "i18n", "locales")),
    redirects,
    openFolders: [...(redirects?.redirects ?? []), ...(rewrites?.redirects ?? [])].flatMap(({ from }) =>
      openFolder(from.value),
    ),
    rewritesAnything: isByCode("redirects", redirects) || isByCode("rewrites", rewrites),
  };
}
