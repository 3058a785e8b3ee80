import { folderOf, isPagePath, joinPath } from "../../paths.ts";
import type { LinkUse, Resolution } from "../framework.ts";
import { joinRoute } from "../route.ts";
import type { StarlightModel } from "./starlight-model.ts";

const MODULE_SUFFIXES = [
  "",
  ".ts",
  ".tsx",
  ".js",
  ".jsx",
  ".mjs",
  ".json",
  "/index.ts",
  "/index.tsx",
  "/index.js",
  "/index.jsx",
];

/** The route of a page as it was made; undefined for what has none. */
export function routeAt(model: StarlightModel, path: string): string | undefined {
  return model.pages.get(path)?.route ?? model.otherPages.get(path);
}

/** The addresses that a page may be opened at: whether one ends in a slash decides where relative links lead. */
export function addressesOf(model: StarlightModel, path: string): string[] {
  const route = routeAt(model, path);
  if (route === undefined) return [];
  const folder = route.endsWith("/") ? route : `${route}/`;
  const { trailingSlash, buildsFiles } = model.config;
  if (trailingSlash === "always") return [folder];
  if (trailingSlash === "never") return [route];
  return buildsFiles ? [route, folder] : [folder, route];
}

function fileFrom(model: StarlightModel, fromPath: string, path: string): Resolution | undefined {
  const target = joinPath(folderOf(fromPath), path);
  if (target === undefined || !model.files.has(target)) return undefined;
  return model.facts.has(target) ? { type: "page", path: target } : { type: "file", path: target };
}

function resolveImport(model: StarlightModel, fromPath: string, path: string): Resolution {
  if (!/^\.{1,2}\//.test(path)) return { type: "unknown" };
  const plain = path.replace(/\?.*$/, "");
  const found = MODULE_SUFFIXES.map((suffix) => fileFrom(model, fromPath, `${plain}${suffix}`)).find(
    (file) => file !== undefined,
  );
  return found ?? { type: "missing" };
}

/** Astro takes images of Markdown from beside the page, or from the public folder where the path begins with a slash. */
function resolveImage(model: StarlightModel, fromPath: string, path: string, link: LinkUse): Resolution {
  const hasSuffix = /\.[A-Za-z\d]+$/.test(path);
  if (path.startsWith("/")) {
    if (!hasSuffix) return { type: "unknown" };
    const file = model.addresses.publicFile(path);
    if (file !== undefined) return { type: "file", path: file };
    const generated = model.addresses.lookUp(path);
    return generated.type === "generated" || /^\/(?:src|@fs|_astro)\//.test(path)
      ? { type: "unknown" }
      : { type: "missing" };
  }
  const markdown = link.syntax === "markdown" || link.syntax === "definition";
  if (!markdown || /^[~@#$]/.test(path)) return { type: "unknown" };
  return fileFrom(model, fromPath, path) ?? { type: "missing" };
}

/** Astro leaves links as they are: they are addresses, relative ones counted from the page's own. */
function resolveLink(model: StarlightModel, fromPath: string, path: string, link: LinkUse): Resolution {
  if (path.startsWith("/")) return model.addresses.lookUp(path);
  if (/^[~@$]/.test(path)) return { type: "unknown" };
  const markdown = link.syntax === "markdown" || link.syntax === "definition";
  if (markdown && isPagePath(path) && model.config.rewritesLinks) {
    return fileFrom(model, fromPath, path) ?? { type: "missing", mayBeRewritten: true };
  }
  const outcomes = addressesOf(model, fromPath).map((address) => model.addresses.lookUp(joinRoute(address, path)));
  const found = outcomes.find(({ type }) => type !== "missing" && type !== "unknown");
  return found ?? outcomes.find(({ type }) => type === "missing") ?? { type: "unknown" };
}

export function resolveStarlight(model: StarlightModel, fromPath: string, path: string, link: LinkUse): Resolution {
  if (link.role === "snippet") return { type: "unknown" };
  if (link.role === "import") return resolveImport(model, fromPath, path);
  return link.role === "image" ? resolveImage(model, fromPath, path, link) : resolveLink(model, fromPath, path, link);
}
