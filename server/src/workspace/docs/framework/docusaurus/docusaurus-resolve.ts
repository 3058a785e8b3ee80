import { posix } from "node:path";
import { folderOf, isPagePath, isUnder, joinPath } from "../../paths.ts";
import type { LinkUse, Resolution } from "../framework.ts";
import { contentFolders, inSite, mayBeGenerated, type DocusaurusModel } from "./docusaurus-model.ts";
import { routeAsConfigured } from "./docusaurus-routes.ts";

const MODULE_SUFFIXES = [
  "",
  ".js",
  ".jsx",
  ".ts",
  ".tsx",
  ".mdx",
  ".md",
  ".json",
  "/index.js",
  "/index.jsx",
  "/index.ts",
  "/index.tsx",
];

function file(model: DocusaurusModel, path: string | undefined): Resolution | undefined {
  return path !== undefined && model.files.has(path) ? { type: "file", path } : undefined;
}

function asPage(model: DocusaurusModel, path: string): Resolution {
  return model.facts.has(path) ? { type: "page", path } : { type: "file", path };
}

/** `@site/…` is the site's folder, `/…` a static folder, the rest counts from the page. */
function resolveAsset(model: DocusaurusModel, fromPath: string, path: string): Resolution | undefined {
  if (path.startsWith("@site/")) return file(model, inSite(model, path.slice("@site/".length)));
  if (!path.startsWith("/")) return file(model, joinPath(folderOf(fromPath), path));
  const base = model.config?.baseUrl ?? "/";
  const forms = [path, ...(base !== "/" && path.startsWith(base) ? [`/${path.slice(base.length)}`] : [])];
  return (model.config?.staticFolders ?? ["static"])
    .flatMap((folder) => forms.map((form) => file(model, joinPath(folder, form.replace(/^\/+/, "")))))
    .find((found) => found !== undefined);
}

function resolveImport(model: DocusaurusModel, fromPath: string, path: string): Resolution {
  const target = path.startsWith("@site/")
    ? inSite(model, path.slice("@site/".length))
    : /^\.{1,2}\//.test(path)
      ? joinPath(folderOf(fromPath), path)
      : undefined;
  if (target === undefined || path.includes("!")) return { type: "unknown" };
  const found = MODULE_SUFFIXES.map((suffix) => `${target}${suffix}`).find((name) => model.files.has(name));
  if (found !== undefined) return asPage(model, found);
  return mayBeGenerated(model, target) || isUnder(target, inSite(model, ".docusaurus") ?? "")
    ? { type: "unknown" }
    : { type: "missing" };
}

/** A link to a Markdown file, which Docusaurus turns into the address of its page. */
function resolveFileLink(model: DocusaurusModel, fromPath: string, path: string): Resolution {
  const folders = path.startsWith("@site/")
    ? [model.files.docsPath]
    : path.startsWith("/")
      ? contentFolders(model, fromPath)
      : /^\.{1,2}\//.test(path)
        ? [folderOf(fromPath)]
        : [folderOf(fromPath), ...contentFolders(model, fromPath)];
  const own = path.replace(/^@site\//, "").replace(/^\/+/, "");
  const candidates = folders.flatMap((folder) => joinPath(folder, own) ?? []);
  const found = candidates.find((candidate) => model.facts.has(candidate) && !model.partials.has(candidate));
  if (found !== undefined) return { type: "page", path: found };
  // A translation links as its original does, to pages that are not translated yet.
  const version = model.documents.get(fromPath)?.version;
  if (version !== undefined && version.locale !== null) {
    const original = model.versions.find(({ key, locale }) => locale === null && version.key.startsWith(`${key}/`));
    const inOriginal = joinPath(`${original?.folder ?? ""}${folderOf(fromPath).slice(version.folder.length)}`, own);
    if (inOriginal !== undefined && model.facts.has(inOriginal)) return { type: "page", path: inOriginal };
  }
  return candidates.some((candidate) => mayBeGenerated(model, candidate)) ? { type: "unknown" } : { type: "missing" };
}

/** Where a path without a Markdown suffix leads: an address of the site. Relative ones count from the page's own. */
function resolveRoute(model: DocusaurusModel, fromPath: string, path: string): Resolution {
  const document = model.documents.get(fromPath);
  if (path.startsWith("/")) return model.routes.lookUp(path, document?.version.locale ?? null);
  const other = [...model.otherRoutes].find(([, otherPath]) => otherPath === fromPath)?.[0];
  const ownRoute = document?.route ?? other;
  if (ownRoute === undefined) return { type: "unknown" };
  const route = routeAsConfigured(ownRoute, model.config?.trailingSlash);
  const folder = route.slice(0, route.lastIndexOf("/") + 1);
  return model.routes.lookUp(posix.join(folder, path), document?.version.locale ?? null);
}

/**
 * Docs that come from another repository link to its files, and a plugin of the site leads those links there: they climb
 * to a folder that holds no page.
 */
function mayBeRewritten(model: DocusaurusModel, fromPath: string, path: string, link: LinkUse): boolean {
  if (model.config?.ownRemarkPlugins !== true || !/^(?:\.\/)?\.\.\//.test(path)) return false;
  if (link.syntax !== "markdown" && link.syntax !== "definition") return false;
  const target = joinPath(folderOf(fromPath), path);
  return target === undefined || !foldersOfPages(model).has(folderOf(target));
}

const knownFolders = new WeakMap<DocusaurusModel, Set<string>>();

function foldersOfPages(model: DocusaurusModel): Set<string> {
  const folders = knownFolders.get(model) ?? new Set([...model.facts.keys()].map(folderOf));
  knownFolders.set(model, folders);
  return folders;
}

export function resolveDocusaurus(model: DocusaurusModel, fromPath: string, path: string, link: LinkUse): Resolution {
  const resolution = resolveReference(model, fromPath, path, link);
  if (resolution.type !== "missing" || !mayBeRewritten(model, fromPath, path, link)) return resolution;
  return { ...resolution, mayBeRewritten: true };
}

function resolveReference(model: DocusaurusModel, fromPath: string, path: string, link: LinkUse): Resolution {
  if (link.role === "snippet") return { type: "unknown" };
  if (link.role === "import") return resolveImport(model, fromPath, path);
  const markdown = link.syntax === "markdown" || link.syntax === "definition";
  const hasSuffix = /\.[A-Za-z\d]+$/.test(path);
  if (link.role === "image") {
    if (markdown) return resolveAsset(model, fromPath, path) ?? { type: "missing" };
    // In JSX a relative source counts from the page's address, and what is served there the tree cannot tell.
    const rooted = link.syntax === "script" && !path.startsWith(".") ? `/${path.replace(/^\/+/, "")}` : path;
    return rooted.startsWith("/") && hasSuffix
      ? (resolveAsset(model, fromPath, rooted) ?? { type: "missing" })
      : { type: "unknown" };
  }
  if (isPagePath(path) && markdown) return resolveFileLink(model, fromPath, path);
  if (path.startsWith("@site/"))
    return markdown ? (resolveAsset(model, fromPath, path) ?? { type: "missing" }) : { type: "unknown" };
  if (hasSuffix && !path.endsWith(".html") && markdown) {
    const asset = resolveAsset(model, fromPath, path);
    if (asset !== undefined) return asset;
  }
  return resolveRoute(model, fromPath, path);
}
