import { isUnder, relativePath } from "../../paths.ts";
import type { LinkUse } from "../framework.ts";
import { relativeRoute } from "../route.ts";
import { addressOf } from "./mkdocs-resolve.ts";
import type { MkdocsModel } from "./mkdocs-model.ts";

/** A link in the style of `like`: to a file, which MkDocs turns into an address, or by the address itself. */
export function writeMkdocsLink(
  model: MkdocsModel,
  fromPath: string,
  toPath: string,
  like: string,
  link: LinkUse,
): string | undefined {
  const { config } = model;
  if (link.role === "snippet") {
    const folder = config.snippetFolders?.find((name) => isUnder(toPath, name));
    return folder === undefined ? undefined : toPath.slice(folder === "" ? 0 : folder.length + 1);
  }
  const isPage = model.pages.has(toPath);
  const lastPart = like.split("/").at(-1) ?? "";
  const isAddress = isPage && (!/.\.[A-Za-z\d]+$/.test(lastPart) || /\.html?$/.test(lastPart));
  if (like.startsWith("/")) {
    if (config.absoluteIsFromDocs && !isAddress) return `/${model.inDocs(toPath)}`;
    const prefix = config.sitePath !== undefined && isUnder(like, config.sitePath) ? config.sitePath : "";
    return `${prefix}${isPage ? addressOf(model, toPath) : `/${model.inDocs(toPath)}`}`;
  }
  const markdown = link.syntax === "markdown" || link.syntax === "definition";
  if (markdown && !isAddress) {
    const relative = relativePath(fromPath, toPath);
    return like.startsWith("./") && !relative.startsWith(".") ? `./${relative}` : relative;
  }
  const to = isPage ? addressOf(model, toPath) : `/${model.inDocs(toPath)}`;
  const written = relativeRoute(addressOf(model, fromPath), to, like);
  return like.endsWith("/") || !isAddress || !written.endsWith("/") || written === "./"
    ? written
    : written.slice(0, -1);
}
