import { posix } from "node:path";
import { isPagePath, isUnder, relativePath } from "../../paths.ts";
import type { LinkUse } from "../framework.ts";
import { contentFolders, type DocusaurusModel } from "./docusaurus-model.ts";
import { routeAsConfigured } from "./docusaurus-routes.ts";

function inside(path: string, folder: string): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}

function relativeLike(fromPath: string, toPath: string, like: string): string {
  const relative = relativePath(fromPath, toPath);
  return like.startsWith("./") && !relative.startsWith(".") ? `./${relative}` : relative;
}

function writeFile(model: DocusaurusModel, fromPath: string, toPath: string, like: string): string | undefined {
  if (like.startsWith("@site/")) return `@site/${inside(toPath, model.files.docsPath)}`;
  if (like.startsWith("/")) {
    const folders = isPagePath(toPath) ? contentFolders(model, fromPath) : (model.config?.staticFolders ?? []);
    const folder = folders.find((candidate) => isUnder(toPath, candidate));
    return folder === undefined ? undefined : `/${inside(toPath, folder)}`;
  }
  const relative = relativePath(fromPath, toPath);
  const bare = !like.startsWith(".") && relative.startsWith("..");
  if (bare && isPagePath(toPath)) {
    // `guides/install.md` counts from the content folder too: an author who writes so from elsewhere means that.
    const folder = contentFolders(model, fromPath).find((candidate) => isUnder(toPath, candidate));
    if (folder !== undefined && like.includes("/")) return inside(toPath, folder);
  }
  return relativeLike(fromPath, toPath, like);
}

/** A link in the style of `like`: by file or by address, from the root or relative. */
export function writeDocusaurusLink(
  model: DocusaurusModel,
  fromPath: string,
  toPath: string,
  like: string,
  link: LinkUse,
): string | undefined {
  if (link.role === "import" && !like.startsWith("@site/")) {
    const relative = relativePath(fromPath, toPath);
    const path = relative.startsWith(".") ? relative : `./${relative}`;
    return /\.[A-Za-z\d]+$/.test(like) ? path : path.replace(/\.\w+$/, "");
  }
  const document = model.documents.get(toPath);
  const byFile =
    link.role !== "link" || (isPagePath(like) && (link.syntax === "markdown" || link.syntax === "definition"));
  if (byFile) return writeFile(model, fromPath, toPath, like);
  const other = [...model.otherRoutes].find(([, path]) => path === toPath)?.[0];
  if (document === undefined)
    return other ?? (isPagePath(toPath) ? undefined : writeFile(model, fromPath, toPath, like));
  const route = routeAsConfigured(document.route, model.config?.trailingSlash);
  const slash = like.length > 1 && like.endsWith("/") && !route.endsWith("/") ? "/" : "";
  const written = like.endsWith("/") || route === "/" ? `${route}${slash}` : route.replace(/(.)\/$/, "$1");
  const from = model.documents.get(fromPath);
  if (like.startsWith("/") || from === undefined) {
    const base = (model.config?.baseUrl ?? "/").replace(/\/$/, "");
    const locale = document.version.locale === null ? "" : `/${document.version.locale}`;
    const local = locale !== "" && isUnder(written, locale) ? written.slice(locale.length) : written;
    return base !== "" && isUnder(like, base) ? `${base}${local}` : local;
  }
  const own = routeAsConfigured(from.route, model.config?.trailingSlash);
  const folder = own.slice(0, own.lastIndexOf("/") + 1);
  const relative = posix.relative(folder, written) || ".";
  return `${like.startsWith("./") && !relative.startsWith(".") ? "./" : ""}${relative}${written.endsWith("/") ? "/" : ""}`;
}
