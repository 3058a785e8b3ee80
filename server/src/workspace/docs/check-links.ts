import type { Resolution, Site, SitePage } from "./framework/framework.ts";
import { parseLinkTarget, type LinkTarget } from "./link-target.ts";
import type { LinkFact } from "./page/page-facts.ts";
import type { Problem } from "./problem.ts";
import { onlySimilarAnchor, suggestTarget } from "./suggest.ts";

function problemOf(
  page: SitePage,
  link: LinkFact,
  kind: Problem["kind"],
  message: string,
  suggestion?: string,
): Problem {
  return {
    kind,
    path: page.path,
    line: link.line,
    column: link.column,
    message,
    target: link.written,
    ...(suggestion === undefined || suggestion === link.written ? {} : { suggestion }),
  };
}

const MISSING: Readonly<Record<LinkFact["role"], (written: string) => string>> = {
  link: (written) => `The link leads to \`${written}\`, and there is no such page or file.`,
  image: (written) => `There is no file \`${written}\`.`,
  import: (written) => `The import names \`${written}\`, and there is no such file.`,
  snippet: (written) => `There is no snippet \`${written}\`.`,
};

function missingProblem(
  site: Site,
  page: SitePage,
  link: LinkFact,
  target: LinkTarget,
  resolution: Resolution & { type: "missing" },
  filePaths: readonly string[] | undefined,
): Problem | undefined {
  const suggestion =
    filePaths === undefined ? undefined : suggestTarget(site, page, link, target, resolution, filePaths);
  if (suggestion === undefined && resolution.mayBeRewritten === true) return undefined;
  const message =
    resolution.redirectsTo === undefined
      ? MISSING[link.role](link.written)
      : `The link leads to \`${link.written}\`, which is only a redirect; the site does not follow it from within.`;
  return problemOf(page, link, link.role === "image" ? "image" : "link", message, suggestion);
}

function anchorProblem(
  site: Site,
  page: SitePage,
  link: LinkFact,
  target: LinkTarget,
  targetPath: string,
): Problem | undefined {
  if (target.anchor === null || (targetPath === page.path && page.partial)) return undefined;
  const { ids, open } = site.anchors(targetPath);
  const wanted = site.normalizeAnchor(target.anchor);
  if (open || ids.includes(wanted)) return undefined;
  const where = targetPath === page.path ? "this page" : `\`${targetPath}\``;
  const similar = onlySimilarAnchor(wanted, ids);
  const hash = link.written.lastIndexOf("#");
  const suggestion = similar === undefined || hash === -1 ? undefined : `${link.written.slice(0, hash + 1)}${similar}`;
  return problemOf(page, link, "anchor", `Nothing on ${where} has the id \`${target.anchor}\`.`, suggestion);
}

/**
 * What is wrong with one page: what its own text shows, and references that lead nowhere. Without `filePaths`, all files of
 * the tree, nothing is suggested for what is missing: that takes the facts of all pages.
 */
export function checkPage(site: Site, page: SitePage, filePaths?: readonly string[]): Problem[] {
  const facts = site.facts.get(page.path);
  if (facts === undefined) return [];
  const problems: Problem[] = facts.problems.map((problem) => ({ path: page.path, ...problem }));
  for (const link of facts.links) {
    const target = parseLinkTarget(link.url);
    if (target === undefined) continue;
    const resolution: Resolution =
      target.path === "" ? { type: "page", path: page.path } : site.resolve(page.path, target.path, link);
    if (resolution.type === "missing") {
      const problem = missingProblem(site, page, link, target, resolution, filePaths);
      if (problem !== undefined) problems.push(problem);
    } else if (resolution.type === "page" && link.role === "link") {
      const problem = anchorProblem(site, page, link, target, resolution.path);
      if (problem !== undefined) problems.push(problem);
    }
  }
  return problems;
}

export function byPlace(left: Problem, right: Problem): number {
  if (left.path !== right.path) return left.path < right.path ? -1 : 1;
  return left.line - right.line || left.column - right.column || (left.kind < right.kind ? -1 : 1);
}
