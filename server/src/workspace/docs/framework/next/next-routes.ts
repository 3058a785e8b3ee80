import type { DocsFiles } from "../../docs-files.ts";
import { isPagePath, isUnder } from "../../paths.ts";
import { bareRoute } from "../route.ts";

export interface NextRoutes {
  /** Routes of files: the path of a Markdown page, undefined for what code answers. */
  routes: ReadonlyMap<string, string | undefined>;
  /** Folders under which a route has a parameter: what answers there cannot be told. */
  openFolders: readonly string[];
}

/** A folder of the app directory in the address: groups `(name)` and slots `@name` are not in it. */
function routeOfParts(parts: readonly string[]): string {
  return bareRoute(parts.filter((part) => !/^\(.*\)$|^@/.test(part) && part !== "index").join("/"));
}

/** Routes of the app and pages directories of a Next.js site, the given catch-all folders left out. */
export function readNextRoutes(
  files: DocsFiles,
  folders: { app: readonly string[]; pages: readonly string[] },
): NextRoutes {
  const routes = new Map<string, string | undefined>();
  const openFolders: string[] = [];
  const note = (path: string, parts: readonly string[]): void => {
    const parameter = parts.findIndex((part) => part.includes("["));
    if (parameter !== -1) openFolders.push(routeOfParts(parts.slice(0, parameter)));
    else routes.set(routeOfParts(parts), isPagePath(path) ? path : undefined);
  };
  for (const path of files.paths) {
    for (const folder of folders.app) {
      if (!isUnder(path, folder)) continue;
      const parts = path.slice(folder.length + 1).split("/");
      const name = parts.at(-1) ?? "";
      if (parts.slice(0, -1).some((part) => part.startsWith("_"))) continue;
      if (/^(?:page|route)\.(?:[jt]sx?|mdx?)$/.test(name)) note(path, parts.slice(0, -1));
      // `sitemap.ts`, `robots.txt` and the like answer under names of their own.
      else if (/^(?:sitemap|robots|manifest|llms|rss|feed|icon|opengraph-image)\b/.test(name)) {
        routes.set(bareRoute(`${parts.slice(0, -1).join("/")}/${name.replace(/\.[jt]sx?$/, "")}`), undefined);
      }
    }
    for (const folder of folders.pages) {
      if (!isUnder(path, folder) || !/\.[jt]sx?$/.test(path)) continue;
      const inside = path.slice(folder.length + 1);
      if (/(?:^|\/)_/.test(inside)) continue;
      note(path, inside.replace(/\.\w+$/, "").split("/"));
    }
  }
  return { routes, openFolders };
}
