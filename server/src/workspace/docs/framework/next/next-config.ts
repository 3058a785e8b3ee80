import { readConfigFile, type ConfigFile } from "../../config/config-file.ts";
import { at, property, stringValue, strings, unwrapped, type Literal } from "../../config/literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { isUnder, joinPath } from "../../paths.ts";
import { readRedirectArray, type RedirectList } from "../navigation/redirects.ts";
import { readWrittenAddresses } from "../navigation/written-addresses.ts";

export const NEXT_CONFIG_NAMES = ["mjs", "ts", "js", "mts", "cjs"].map((suffix) => `next.config.${suffix}`);

export interface NextConfig {
  file: ConfigFile;
  basePath: string;
  locales: readonly string[];
  /** Undefined where redirects are made by code or there are none. */
  redirects: RedirectList | undefined;
  /** A redirect or a rewrite may lead away from this route, be it made by code. */
  isWritten(route: string): boolean;
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
  const isWritten = await readWrittenRoutes(files, file, redirects, unwrapped(property(root, "rewrites")));
  return {
    file,
    basePath: stringValue(property(root, "basePath")) ?? "/",
    locales: strings(at(root, "i18n", "locales")),
    redirects,
    isWritten,
  };
}

/**
 * Redirects that stand there literally are known one by one, but for their patterns; where they are made by code, every address
 * that the configuration names may be one.
 */
async function readWrittenRoutes(
  files: DocsFiles,
  file: ConfigFile,
  redirects: RedirectList | undefined,
  rewrites: Literal | undefined,
): Promise<(route: string) => boolean> {
  const written = await readWrittenAddresses(files, file);
  const isLiteral = (name: string, isRead: boolean): boolean => isRead || !new RegExp(`\\b${name}\\b`).test(file.text);
  const areKnown =
    isLiteral("redirects", redirects?.extensible === true) &&
    isLiteral("rewrites", rewrites?.kind === "array" && rewrites.complete);
  return (route) =>
    written.folders.some((folder) => isUnder(route, folder)) || (!areKnown && written.routes.has(route));
}
