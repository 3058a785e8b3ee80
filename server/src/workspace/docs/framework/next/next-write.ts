import { isPagePath, isUnder, relativePath } from "../../paths.ts";
import type { LinkUse } from "../framework.ts";
import { bareRoute, relativeRoute } from "../route.ts";

export interface NextPlaces {
  basePath: string;
  publicFolders: readonly string[];
  /** Languages that may stand first in an address. */
  languages: readonly string[];
  /** Undefined for what has no address. */
  routeAt(path: string): string | undefined;
  /** Links to Markdown files lead to their pages. */
  linksByFile: boolean;
}

function relativeLike(fromPath: string, toPath: string, like: string): string {
  const relative = relativePath(fromPath, toPath);
  return like.startsWith("./") && !relative.startsWith(".") ? `./${relative}` : relative;
}

/** A link in the style of `like`, of a site that is built by Next.js. */
export function writeNextLink(
  places: NextPlaces,
  fromPath: string,
  toPath: string,
  like: string,
  link: LinkUse,
): string | undefined {
  const base = bareRoute(places.basePath);
  const prefix = base !== "/" && like.startsWith("/") && isUnder(bareRoute(like), base) ? base : "";
  const route = link.role === "link" ? places.routeAt(toPath) : undefined;
  const isByFile = isPagePath(like) && !like.startsWith("/") && places.linksByFile;
  if (route === undefined || isByFile) {
    if (like.startsWith("/")) {
      const folder = places.publicFolders.find((name) => isUnder(toPath, name));
      return folder === undefined ? undefined : `${prefix}${toPath.slice(folder.length)}`;
    }
    const written = relativeLike(fromPath, toPath, like);
    if (link.role !== "import") return written;
    const module = written.startsWith(".") ? written : `./${written}`;
    return /\.[A-Za-z\d]+$/.test(like) ? module : module.replace(/\.\w+$/, "");
  }
  const end = like.length > 1 && like.endsWith("/") && route !== "/" ? "/" : "";
  const suffix = /\.mdx?$/i.test(like) && !places.linksByFile ? (/\.mdx?$/i.exec(like)?.[0] ?? "") : "";
  if (like.startsWith("/")) {
    const inSite = bareRoute(like.slice(prefix.length));
    const language = places.languages.find((name) => isUnder(inSite, `/${name}`));
    const kept = language === undefined || isUnder(route, `/${language}`) ? "" : `/${language}`;
    return `${prefix}${bareRoute(`${kept}${route}`)}${end}${suffix}`;
  }
  const address = places.routeAt(fromPath);
  return address === undefined ? undefined : `${relativeRoute(address, `${route}${end}`, like)}${suffix}`;
}
