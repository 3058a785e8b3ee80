import { isPagePath, relativePath, withoutPageSuffix } from "../../paths.ts";
import type { LinkUse } from "../framework.ts";
import type { MintlifyPaths } from "./mintlify-paths.ts";

/** A link in the style of `like`. Bare paths mean the root to Mintlify and the folder to a browser, so they get a `./`. */
export function writeMintlifyLink(
  site: MintlifyPaths,
  pages: ReadonlySet<string>,
  fromPath: string,
  toPath: string,
  like: string,
  link: LinkUse,
): string | undefined {
  const from = site.inDocs(fromPath);
  const to = site.inDocs(toPath);
  if (from === undefined || to === undefined) return undefined;
  if (link.role === "snippet") return to.replace(/^_?snippets\//, "");
  const asPage = pages.has(toPath) && link.role !== "import" && !isPagePath(like);
  const slash = asPage && like.length > 1 && like.endsWith("/") ? "/" : "";
  const namesIndex = /(?:^|\/)index\/?$/.test(like);
  const stem = !asPage ? to : namesIndex ? withoutPageSuffix(to) : withoutPageSuffix(to).replace(/(?:^|\/)index$/, "");
  if (like.startsWith("/") || stem === "") return `/${stem}${stem === "" ? "" : slash}`;
  if (!like.startsWith(".") && !from.includes("/")) return `${stem}${slash}`;
  const relative = relativePath(from, stem);
  return `${relative.startsWith(".") ? "" : "./"}${relative === "" ? "." : relative}${slash}`;
}
