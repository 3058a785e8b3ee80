import { problemAt } from "../../config/config-file.ts";
import { baseName, isUnder } from "../../paths.ts";
import type { Problem } from "../../problem.ts";
import { onlySimilarPage } from "../../similar-page.ts";
import type { Resolution, SitePage } from "../framework.ts";
import type { MintlifyConfig, MintlifyRedirect } from "./mintlify-config.ts";
import type { MintlifyPaths } from "./mintlify-paths.ts";
import { fixedFolder, isExternal, isPattern, sitePath, type RedirectRules } from "./mintlify-redirects.ts";

interface MintlifySite {
  paths: MintlifyPaths;
  rules: RedirectRules;
  follow(path: string): Resolution;
  pages: readonly SitePage[];
}

/** `GET /users`, `openapi.json POST /users`, `webhook orderCreated`: pages made from an API description. */
const OPERATION = /(?:^|\s)(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT|WEBHOOK)\s+\S/i;

function navigationProblems(config: MintlifyConfig, site: MintlifySite): Problem[] {
  const entries = config.entries
    .filter(({ literal }) => !OPERATION.test(literal.value) && !isExternal(literal.value))
    .map((entry) => ({ ...entry, page: site.paths.pageAt(entry.literal.value) }));
  const broken = entries
    .filter(({ page }) => page === undefined)
    .map((entry) => ({ ...entry, similar: onlySimilarPage(entry.literal.value, site.pages) }));
  // A page stands in the navigation once: one that is listed, or that two entries could mean, is no answer.
  const listed = new Set(entries.map(({ page }) => page));
  const claims = Map.groupBy(broken, ({ similar }) => similar);
  return broken.flatMap(({ file, literal, similar }) => {
    const entry = literal.value;
    const isCertain = similar !== undefined && !listed.has(similar) && claims.get(similar)?.length === 1;
    const suggestion = isCertain ? entryLike(site.paths.routeOf(similar), similar, entry, site.paths) : undefined;
    return [
      problemAt(
        file,
        literal,
        "navigation",
        `The navigation lists \`${entry}\`, and there is no such page.`,
        suggestion,
      ),
    ];
  });
}

function entryLike(route: string, path: string, like: string, paths: MintlifyPaths): string {
  const stem = (paths.inDocs(path) ?? route).replace(/\.mdx?$/i, "");
  return like.startsWith("/") ? `/${stem}` : stem;
}

function hrefProblems(config: MintlifyConfig, site: MintlifySite): Problem[] {
  return config.hrefs.flatMap(({ file, literal }) => {
    const href = literal.value;
    if (!href.startsWith("/") || isExternal(href) || sitePath(href) === "/") return [];
    if (site.follow(sitePath(href).slice(1)).type !== "missing") return [];
    return [problemAt(file, literal, "navigation", `The navigation links to \`${href}\`, and there is no such page.`)];
  });
}

function imageProblems(config: MintlifyConfig, site: MintlifySite): Problem[] {
  return config.images.flatMap(({ file, literal }) => {
    const path = literal.value;
    if (isExternal(path) || path.startsWith("data:") || site.paths.fileAt(path.replace(/^\.\//, "")) !== undefined)
      return [];
    return [problemAt(file, literal, "image", `There is no file \`${path}\`.`)];
  });
}

/** The redirects that a reader passes from this one on, when they come round to one of them again. */
function loops(redirect: MintlifyRedirect, rules: RedirectRules): boolean {
  const seen = new Set<MintlifyRedirect>([redirect]);
  let destination = redirect.destination.value;
  while (!isExternal(destination) && !isPattern(destination)) {
    const next = rules.follow(destination);
    if (next === undefined) return false;
    if (next.redirect === redirect) return true;
    if (seen.has(next.redirect)) return false;
    seen.add(next.redirect);
    destination = next.destination;
  }
  return false;
}

function redirectProblems(config: MintlifyConfig, site: MintlifySite): Problem[] {
  return config.redirects.flatMap((redirect) => {
    const { file, source, destination } = redirect;
    const problems: Problem[] = [];
    const from = source.value;
    const to = destination.value;
    if (
      !isPattern(from) &&
      site.paths.pageAt(sitePath(from).slice(1)) !== undefined &&
      sitePath(from) !== sitePath(to)
    ) {
      problems.push(
        problemAt(
          file,
          source,
          "redirect",
          `The redirect from \`${from}\` hides the page that exists at that address.`,
        ),
      );
    }
    if (sitePath(from) === sitePath(to) || loops(redirect, site.rules)) {
      problems.push(problemAt(file, destination, "redirect", `The redirect from \`${from}\` leads back to itself.`));
    } else if (!isExternal(to) && isMissing(to, site)) {
      const similar = isPattern(to) ? undefined : onlySimilarPage(to, site.pages);
      const suggestion = similar === undefined ? undefined : site.paths.routeOf(similar);
      problems.push(
        problemAt(
          file,
          destination,
          "redirect",
          `The redirect leads to \`${to}\`, and there is no such page.`,
          suggestion,
        ),
      );
    }
    return problems;
  });
}

function isMissing(destination: string, site: MintlifySite): boolean {
  if (!isPattern(destination)) return site.follow(sitePath(destination).slice(1)).type === "missing";
  const folder = fixedFolder(destination);
  return folder !== "/" && !site.pages.some((page) => page.route !== null && isUnder(page.route, folder));
}

export function mintlifyProblems(config: MintlifyConfig, site: MintlifySite): Problem[] {
  const syntax = config.files.flatMap((file) => file.problem ?? []);
  // What follows a syntax error may have been read wrongly: nothing is said about it.
  if (syntax.length > 0) return syntax;
  const shape: Problem[] =
    config.main.root?.kind === "object"
      ? []
      : [
          {
            kind: "syntax",
            path: config.main.path,
            line: 1,
            column: 1,
            message: `${baseName(config.main.path)} must be a JSON object.`,
          },
        ];
  return [
    ...shape,
    ...navigationProblems(config, site),
    ...hrefProblems(config, site),
    ...imageProblems(config, site),
    ...redirectProblems(config, site),
  ];
}
