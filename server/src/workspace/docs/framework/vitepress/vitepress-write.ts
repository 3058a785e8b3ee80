import { posix } from "node:path";
import { isUnder, relativePath } from "../../paths.ts";
import type { LinkUse } from "../framework.ts";
import { bareRoute } from "../route.ts";
import type { VitepressModel } from "./vitepress-model.ts";

/** The name of a page at the end of a link, written like another link: `a`, `a.md`, `a.html`, and `` for an index. */
export function pageNameLike(output: string, like: string): string {
  const suffix = /\.(?:html|md)$/.exec(like)?.[0] ?? "";
  if (suffix === "" && (output === "index" || output.endsWith("/index"))) return output.slice(0, -"index".length);
  return `${output}${suffix}`;
}

function relativeLike(relative: string, like: string): string {
  const dotted = relative === "" ? "./" : relative;
  return like.startsWith("./") && !dotted.startsWith(".") ? `./${dotted}` : dotted;
}

/** A link in the style of `like`: from the root or relative, with or without suffix. */
export function writeVitepressLink(
  model: VitepressModel,
  fromPath: string,
  toPath: string,
  like: string,
  link: LinkUse,
): string | undefined {
  const { sourceFolder } = model.config;
  if (link.role === "snippet") {
    if (!like.startsWith("@")) return relativeLike(relativePath(fromPath, toPath), like);
    if (!isUnder(toPath, sourceFolder)) return undefined;
    return `${like.startsWith("@/") ? "@/" : "@"}${sourceFolder === "" ? toPath : toPath.slice(sourceFolder.length + 1)}`;
  }
  const base = bareRoute(model.config.base);
  const prefix = base !== "/" && like.startsWith("/") && isUnder(bareRoute(like), base) ? base : "";
  const output = model.pages.get(toPath);
  if (link.role !== "link" || output === undefined) {
    if (!like.startsWith("/")) return relativeLike(relativePath(fromPath, toPath), like);
    return isUnder(toPath, model.publicFolder) ? `${prefix}${toPath.slice(model.publicFolder.length)}` : undefined;
  }
  const written = pageNameLike(output, like);
  if (like.startsWith("/")) return `${prefix}/${written}`;
  const from = model.pages.get(fromPath) ?? model.outputOf(fromPath) ?? "";
  const relative = posix.relative(posix.dirname(`/${from}`), `/${written}`);
  return relativeLike(
    written === "" || written.endsWith("/") ? `${relative === "" ? "." : relative}/` : relative,
    like,
  );
}
