import { folderOf, isPagePath, joinPath } from "../../paths.ts";
import type { LinkUse, Resolution } from "../framework.ts";
import { joinRoute } from "../route.ts";
import type { FumadocsModel } from "./fumadocs-model.ts";

const MODULE_SUFFIXES = [
  "",
  ".tsx",
  ".ts",
  ".jsx",
  ".js",
  ".mdx",
  ".md",
  ".json",
  "/index.tsx",
  "/index.ts",
  "/index.js",
];

export function routeAt(model: FumadocsModel, path: string): string | undefined {
  return model.pages.get(path)?.route ?? model.otherPages.get(path);
}

export function fileFrom(model: FumadocsModel, fromPath: string, path: string): Resolution | undefined {
  const target = joinPath(folderOf(fromPath), path);
  if (target === undefined || !model.files.has(target)) return undefined;
  return model.facts.has(target) ? { type: "page", path: target } : { type: "file", path: target };
}

function resolveImport(model: FumadocsModel, fromPath: string, path: string): Resolution {
  if (!/^\.{1,2}\//.test(path)) return { type: "unknown" };
  const found = MODULE_SUFFIXES.map((suffix) => fileFrom(model, fromPath, `${path.replace(/\?.*$/, "")}${suffix}`));
  // `.source` and `_generated` are written by the build.
  return (
    found.find((file) => file !== undefined) ??
    (/[._](?:source|generated)\b/.test(path) ? { type: "unknown" } : { type: "missing" })
  );
}

/** `remark-image` imports images of Markdown, from the public folder where the path begins with a slash. */
function resolveImage(model: FumadocsModel, fromPath: string, path: string, link: LinkUse): Resolution {
  const markdown = link.syntax === "markdown" || link.syntax === "definition";
  if (path.startsWith("/")) {
    const file = model.addresses.publicFile(path);
    if (file !== undefined) return { type: "file", path: file };
    const hasSuffix = /\.[A-Za-z\d]+$/.test(path);
    return hasSuffix && model.addresses.lookUp(path).type !== "generated" ? { type: "missing" } : { type: "unknown" };
  }
  if (!markdown || /^[~@#]/.test(path)) return { type: "unknown" };
  return fileFrom(model, fromPath, path) ?? { type: "missing" };
}

/** Links are addresses; relative ones count from the page's own, or from its file where the site asks for that. */
function resolveLink(model: FumadocsModel, fromPath: string, path: string): Resolution {
  if (path.startsWith("/")) return model.addresses.lookUp(path);
  const file = fileFrom(model, fromPath, path) ?? (isPagePath(path) ? undefined : pageBeside(model, fromPath, path));
  if (file !== undefined) return file;
  const route = routeAt(model, fromPath);
  if (route === undefined || /^[~@]/.test(path)) return { type: "unknown" };
  if (isPagePath(path)) return { type: "missing" };
  const outcomes = [route, `${route}/`].map((address) => model.addresses.lookUp(joinRoute(address, path)));
  const found = outcomes.find(({ type }) => type !== "missing" && type !== "unknown");
  return found ?? outcomes.find(({ type }) => type === "missing") ?? { type: "unknown" };
}

function pageBeside(model: FumadocsModel, fromPath: string, path: string): Resolution | undefined {
  return [".mdx", ".md", "/index.mdx", "/index.md"]
    .map((suffix) => fileFrom(model, fromPath, `${path.replace(/\/$/, "")}${suffix}`))
    .find((found) => found?.type === "page");
}

export function resolveFumadocs(model: FumadocsModel, fromPath: string, path: string, link: LinkUse): Resolution {
  if (link.role === "snippet") {
    if (/^[@~]/.test(path)) return { type: "unknown" };
    return fileFrom(model, fromPath, path) ?? { type: "missing" };
  }
  if (link.role === "import") return resolveImport(model, fromPath, path);
  return link.role === "image" ? resolveImage(model, fromPath, path, link) : resolveLink(model, fromPath, path);
}
