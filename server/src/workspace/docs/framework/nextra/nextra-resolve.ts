import { folderOf, isPagePath, joinPath } from "../../paths.ts";
import type { LinkUse, Resolution } from "../framework.ts";
import { bareRoute, joinRoute } from "../route.ts";
import type { NextraModel } from "./nextra-model.ts";

const MODULE_SUFFIXES = [
  "",
  ".tsx",
  ".ts",
  ".jsx",
  ".js",
  ".mjs",
  ".mdx",
  ".md",
  ".json",
  "/index.tsx",
  "/index.ts",
  "/index.jsx",
  "/index.js",
];

function fileFrom(model: NextraModel, fromPath: string, path: string): Resolution | undefined {
  const target = joinPath(folderOf(fromPath), path);
  if (target === undefined || !model.files.has(target)) return undefined;
  return model.facts.has(target) ? { type: "page", path: target } : { type: "file", path: target };
}

function resolveImport(model: NextraModel, fromPath: string, path: string): Resolution {
  if (!/^\.{1,2}\//.test(path)) return { type: "unknown" };
  const found = MODULE_SUFFIXES.map((suffix) => fileFrom(model, fromPath, `${path.replace(/\?.*$/, "")}${suffix}`));
  return found.find((file) => file !== undefined) ?? { type: "missing" };
}

/** Images of Markdown are imported: from beside the page, or from the public folder where the path begins with a slash. */
function resolveImage(model: NextraModel, fromPath: string, path: string, link: LinkUse): Resolution {
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

/** `.md` and `.mdx` are cut off links, which are addresses then; relative ones count from the page's own. */
function resolveLink(model: NextraModel, fromPath: string, path: string): Resolution {
  const plain = path.replace(/\.mdx?$/i, "");
  const asAddress = plain !== path ? plain.replace(/(^|\/)index$/, "$1") : plain;
  const page = model.pages.get(fromPath);
  if (path.startsWith("/")) {
    const local = page?.language ? model.addresses.lookUp(`/${page.language}${asAddress}`) : undefined;
    return local?.type === "page" ? local : model.addresses.lookUp(asAddress);
  }
  // The bundler takes files that lie beside the page.
  const file = isPagePath(path) || !/\.[A-Za-z\d]+$/.test(path) ? undefined : fileFrom(model, fromPath, path);
  if (file !== undefined) return file;
  if (page === undefined || /^[~@]/.test(path)) return { type: "unknown" };
  const language = page.language === "" ? "" : `/${page.language}`;
  const own = bareRoute(`${language}${page.route}`);
  const outcomes = [own, `${own}/`].map((address) => model.addresses.lookUp(joinRoute(address, asAddress)));
  const found = outcomes.find(({ type }) => type !== "missing" && type !== "unknown");
  return found ?? outcomes.find(({ type }) => type === "missing") ?? { type: "unknown" };
}

export function resolveNextra(model: NextraModel, fromPath: string, path: string, link: LinkUse): Resolution {
  if (link.role === "snippet") return { type: "unknown" };
  if (link.role === "import") return resolveImport(model, fromPath, path);
  return link.role === "image" ? resolveImage(model, fromPath, path, link) : resolveLink(model, fromPath, path);
}
