import { baseName, folderOf, isUnder, joinPath } from "../../paths.ts";
import type { LinkUse, Resolution } from "../framework.ts";
import { joinRoute } from "../route.ts";
import type { MkdocsModel } from "./mkdocs-model.ts";

/** The address that a browser counts relative references of a page from. */
export function addressOf(model: MkdocsModel, path: string): string {
  const route = model.routeOf(path);
  const isIndex = /^(?:index|README)\./.test(baseName(path));
  return route === "/" ? "/" : model.config.useDirectoryUrls || isIndex ? `${route}/` : `${route}.html`;
}

function found(model: MkdocsModel, path: string | undefined): Resolution | undefined {
  if (path === undefined || !model.files.has(path) || !isUnder(path, model.config.docsFolder)) return undefined;
  if (model.pages.has(path)) return { type: "page", path };
  return model.isExcluded(path) ? undefined : { type: "file", path };
}

/** A plugin or a hook may write this file at build time. */
export function mayBeGenerated(model: MkdocsModel, path: string | undefined): boolean {
  if (path !== undefined && model.isIgnoredByGit(path)) return true;
  if (!model.config.generates) return false;
  return (
    path === undefined || !model.files.hasFolder(folderOf(path)) || !/\.(?:md|png|jpe?g|gif|svg|webp)$/i.test(path)
  );
}

function byAddress(model: MkdocsModel, fromPath: string, path: string): Resolution {
  const resolution = model.addresses.lookUp(joinRoute(addressOf(model, fromPath), path));
  return resolution.type === "unknown" && model.config.sitePath === undefined && !model.config.generates
    ? { type: "missing" }
    : resolution;
}

function resolveAbsolute(model: MkdocsModel, path: string): Resolution {
  const { sitePath, absoluteIsFromDocs, docsFolder } = model.config;
  if (absoluteIsFromDocs) {
    const file = found(model, joinPath(docsFolder, `.${path}`));
    if (file !== undefined) return file;
  }
  // Without a site's address, or beside its path, another site may answer.
  if (sitePath !== undefined && sitePath !== "" && !isUnder(path, sitePath)) return { type: "unknown" };
  const resolution = model.addresses.lookUp(path);
  return resolution.type === "missing" && sitePath === undefined ? { type: "unknown" } : resolution;
}

function resolveSnippet(model: MkdocsModel, path: string): Resolution {
  const { snippetFolders } = model.config;
  if (snippetFolders === undefined) return { type: "unknown" };
  const target = snippetFolders
    .map((folder) => joinPath(folder, path))
    .find((name) => name !== undefined && model.files.has(name));
  if (target === undefined) return model.config.generates ? { type: "unknown" } : { type: "missing" };
  return model.facts.has(target) ? { type: "page", path: target } : { type: "file", path: target };
}

/** MkDocs turns links to files into addresses; what is no file of the docs is left to the browser. */
export function resolveMkdocs(model: MkdocsModel, fromPath: string, path: string, link: LinkUse): Resolution {
  if (link.role === "import") return { type: "unknown" };
  if (link.role === "snippet") return resolveSnippet(model, path);
  if (path.startsWith("/")) return resolveAbsolute(model, path);
  // What other pages include counts from them.
  if (!model.pages.has(fromPath)) return found(model, joinPath(folderOf(fromPath), path)) ?? { type: "unknown" };
  const target = joinPath(folderOf(fromPath), path);
  const file = found(model, target);
  const markdown = link.syntax === "markdown" || link.syntax === "definition";
  if (markdown) {
    if (file !== undefined) return file;
    const lastPart = path.split("/").at(-1) ?? "";
    if (/.\.[A-Za-z\d]+$/.test(lastPart) && !/\.html?$/.test(lastPart)) {
      // An e-mail address in parentheses, `x@y.z`, is a mistake of its own.
      return mayBeGenerated(model, target) ? { type: "unknown" } : { type: "missing" };
    }
    return byAddress(model, fromPath, path);
  }
  // Raw HTML is left as it is; inside of an element with the attribute `markdown` it is turned as Markdown is.
  const address = byAddress(model, fromPath, path);
  return address.type === "missing" || address.type === "unknown" ? (file ?? address) : address;
}
