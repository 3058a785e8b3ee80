import { isPagePath, isUnder, relativePath } from "../../paths.ts";
import type { LinkUse } from "../framework.ts";
import { bareRoute, relativeRoute } from "../route.ts";
import { addressesOf, routeAt } from "./starlight-resolve.ts";
import type { StarlightModel } from "./starlight-model.ts";

function relativeFile(fromPath: string, toPath: string, like: string): string {
  const relative = relativePath(fromPath, toPath);
  return !relative.startsWith(".") && (like.startsWith("./") || !like.includes("/")) && like.startsWith(".")
    ? `./${relative}`
    : relative;
}

/** A link in the style of `like`: the site's base, a language and a slash at the end stay where they are. */
export function writeStarlightLink(
  model: StarlightModel,
  fromPath: string,
  toPath: string,
  like: string,
  link: LinkUse,
): string | undefined {
  const { config } = model;
  const base = bareRoute(config.base);
  const prefix = base !== "/" && like.startsWith("/") && isUnder(bareRoute(like), base) ? base : "";
  const route = routeAt(model, toPath);
  const isByFile = link.role !== "link" || (isPagePath(like) && config.rewritesLinks && !like.startsWith("/"));
  if (isByFile || route === undefined) {
    if (like.startsWith("/")) {
      return isUnder(toPath, config.publicFolder) ? `${prefix}${toPath.slice(config.publicFolder.length)}` : undefined;
    }
    const written = relativeFile(fromPath, toPath, like);
    return link.role === "import" && !written.startsWith(".") ? `./${written}` : written;
  }
  const slash = isPagePath(like) ? config.trailingSlash !== "never" : like.length > 1 && like.endsWith("/");
  const end = slash && route !== "/" ? "/" : "";
  if (like.startsWith("/")) {
    const inSite = bareRoute(like.slice(prefix.length));
    const language = (config.locales ?? []).find((name) => isUnder(inSite, `/${name.toLowerCase()}`));
    const own = model.pages.get(toPath)?.locale ?? "";
    const kept = language === undefined || own !== "" ? "" : `/${language.toLowerCase()}`;
    return `${prefix}${bareRoute(`${kept}${route}`)}${end}` || "/";
  }
  const [address] = addressesOf(model, fromPath);
  return address === undefined ? undefined : relativeRoute(address, `${route}${end}`, like);
}
