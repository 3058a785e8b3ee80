import ignore from "ignore";
import { property, stringValue } from "../../config/literal.ts";
import type { DocsFiles } from "../../docs-files.ts";
import { decodePercent } from "../../link-target.ts";
import { folderOf, isPagePath, isUnder, joinPath } from "../../paths.ts";
import { createAnchorIndex } from "../anchor-index.ts";
import type { Framework, LinkUse, Resolution, Site, SitePage } from "../framework.ts";
import { cleanMintlifyId } from "./mintlify-anchors.ts";
import { readMintlifyConfig, type MintlifyConfig } from "./mintlify-config.ts";
import { createMintlifyEdits } from "./mintlify-edits.ts";
import { createMintlifyPaths } from "./mintlify-paths.ts";
import { mintlifyProblems } from "./mintlify-problems.ts";
import { mintlifyProfile } from "./mintlify-profile.ts";
import { createRedirectRules, isExternal } from "./mintlify-redirects.ts";
import { writeMintlifyLink } from "./mintlify-write.ts";

/** What Mintlify never takes for pages, whatever .mintignore says. */
const IGNORED_FOLDERS = [
  ".git",
  ".github",
  ".claude",
  ".agents",
  ".idea",
  ".vscode",
  ".cursor",
  ".mintlify",
  "node_modules",
];
const IGNORED_FILES = ["README.md", "LICENSE.md", "CHANGELOG.md", "CONTRIBUTING.md"];
const REDIRECT_HOPS_MAX = 10;

async function pagePaths(files: DocsFiles): Promise<string[]> {
  const ignored = ignore().add([...IGNORED_FOLDERS, ...IGNORED_FILES]);
  const own = await files.text(joinPath(files.docsPath, ".mintignore") ?? ".mintignore");
  if (own !== undefined) ignored.add(own);
  return files.paths.filter((path) => {
    if (!isPagePath(path) || !isUnder(path, files.docsPath)) return false;
    return !ignored.ignores(files.docsPath === "" ? path : path.slice(files.docsPath.length + 1));
  });
}

/** Addresses that API descriptions give to their generated pages by `x-mint: { href }`. */
async function generatedRoutes(files: DocsFiles, config: MintlifyConfig): Promise<Set<string>> {
  const routes = new Set<string>();
  for (const name of new Set(config.apiDescriptions)) {
    const path = isExternal(name) ? undefined : joinPath(files.docsPath, name);
    const text = path === undefined ? undefined : await files.text(path);
    for (const match of (text ?? "").matchAll(/["']?href["']?\s*:\s*["']?(\/[^\s"',}]*)/g)) routes.add(match[1] ?? "");
  }
  return routes;
}

async function open(files: DocsFiles): Promise<Site> {
  const paths = await pagePaths(files);
  const facts = await files.readPages(paths, { framework: "mintlify", format: () => "mdx" });
  const pageSet = new Set(paths);
  const config = await readMintlifyConfig(files);
  const inSnippets = (path: string): boolean =>
    /^_?snippets\//.test(files.docsPath === "" ? path : path.slice(files.docsPath.length + 1));
  const site = createMintlifyPaths(files, new Set(paths.filter((path) => !inSnippets(path))), {
    folders: config?.generatedFolders ?? [],
    routes: config === undefined ? new Set() : await generatedRoutes(files, config),
  });
  const rules = createRedirectRules(config?.redirects ?? []);

  const importTarget = (fromPath: string, source: string): string | undefined => {
    const folder = source.startsWith("/") ? files.docsPath : folderOf(fromPath);
    return joinPath(folder, source.replace(/^\/+/, ""));
  };
  const snippetTarget = (name: string): string | undefined =>
    ["snippets", "_snippets"]
      .flatMap((folder) => joinPath(files.docsPath, `${folder}/${name.replace(/^\/*(?:_?snippets\/)?/, "")}`) ?? [])
      .find((path) => files.has(path));

  const follow = (path: string, hops = 0): Resolution => {
    const direct = site.lookUp(path);
    const next = hops > REDIRECT_HOPS_MAX ? undefined : rules.follow(path);
    if (direct !== undefined || next === undefined) return direct ?? { type: "missing" };
    if (isExternal(next.destination)) return { type: "generated" };
    const end = follow(decodePercent(next.destination.replace(/[?#].*$/s, "")).replace(/^\/+/, ""), hops + 1);
    return end.type === "page" ? { ...end, redirected: true } : end;
  };

  const resolveReference = (fromPath: string, path: string, link: LinkUse): Resolution => {
    if (link.role === "snippet") {
      const snippet = snippetTarget(path);
      return snippet === undefined ? { type: "missing" } : { type: "file", path: snippet };
    }
    if (link.role === "import") {
      if (!/^[./]/.test(path)) return { type: "unknown" };
      const target = importTarget(fromPath, path);
      const found = ["", ".mdx", ".md", ".jsx", ".tsx", ".js", ".ts"]
        .map((suffix) => `${target}${suffix}`)
        .find((name) => files.has(name));
      return found === undefined ? { type: "missing" } : { type: "file", path: found };
    }
    // A relative reference in a snippet counts from the page that includes it.
    if (!path.startsWith("/") && inSnippets(fromPath)) return { type: "unknown" };
    const base = config?.basePath ?? "";
    const candidates = site
      .candidates(fromPath, path)
      .flatMap((candidate) =>
        base !== "" && isUnder(candidate, base) ? [candidate, candidate.slice(base.length + 1)] : [candidate],
      );
    if (candidates.length === 0) return path === "" ? { type: "page", path: fromPath } : { type: "missing" };
    if (link.role === "image" && /\.[A-Za-z\d]+$/.test(path)) {
      const file = candidates.map((candidate) => site.fileAt(candidate)).find((name) => name !== undefined);
      return file === undefined ? { type: "missing" } : { type: "file", path: file };
    }
    const outcomes = candidates.map((candidate) => follow(candidate));
    return outcomes.find((outcome) => outcome.type !== "missing") ?? { type: "missing" };
  };

  const included = new Set<string>();
  for (const [path, page] of facts) {
    for (const { source } of page.imports) {
      const target = importTarget(path, source);
      if (target !== undefined && facts.has(target)) included.add(target);
    }
  }
  const pages: SitePage[] = paths.map((path) => {
    const partial = inSnippets(path);
    return { path, route: partial ? null : site.routeOf(path), partial: partial || included.has(path), collection: "" };
  });
  const anchors = createAnchorIndex(facts, {
    importedPage(fromPath, source) {
      const target = importTarget(fromPath, source);
      if (target !== undefined && facts.has(target)) return target;
      return /\.(?:png|jpe?g|gif|svg|webp|avif|css|json)$/i.test(source) ? null : undefined;
    },
    included: (_, page) =>
      page.links.flatMap((link) => (link.role === "snippet" ? (snippetTarget(link.url) ?? []) : [])),
    generatesIds: (_, { frontMatter }) =>
      ["openapi", "openapi-schema", "asyncapi", "api"].some((key) => frontMatter[key] !== undefined) ||
      frontMatter["mode"] === "custom" ||
      frontMatter["mode"] === "frame",
  });
  const self: Site = {
    pages,
    facts,
    resolve: resolveReference,
    write: (fromPath, toPath, like, link) => writeMintlifyLink(site, pageSet, fromPath, toPath, like, link),
    normalizeAnchor: cleanMintlifyId,
    anchors,
    configurationProblems: () =>
      config === undefined ? [] : mintlifyProblems(config, { paths: site, rules, follow, pages }),
    ...createMintlifyEdits(config, site),
  };
  return self;
}

/** Mintlify: docs.json, or mint.json of older sites. */
export const mintlify: Framework = {
  name: "mintlify",
  profile: mintlifyProfile,
  folders: (paths) => paths.filter((path) => /(?:^|\/)(?:docs|mint)\.json$/.test(path)).map(folderOf),
  async confirm(files) {
    const config = await readMintlifyConfig(files);
    if (config === undefined) return false;
    const schema = stringValue(property(config.main.root, "$schema")) ?? "";
    return (
      config.main.root === undefined ||
      config.main.problem !== undefined ||
      /mintlify/.test(schema) ||
      property(config.main.root, "navigation") !== undefined
    );
  },
  isNavigationFile: (pathInDocs) => pathInDocs === "docs.json" || pathInDocs === "mint.json",
  open,
};
