import { problemAt } from "../../config/config-file.ts";
import { property, walkLiteral, type LiteralString } from "../../config/literal.ts";
import type { Problem } from "../../problem.ts";
import { joinPath } from "../../paths.ts";
import { onlySimilarPage } from "../../similar-page.ts";
import type { SitePage } from "../framework.ts";
import { mayBeGenerated, type DocusaurusModel } from "./docusaurus-model.ts";
import { bareRoute } from "../route.ts";
import type { Sidebars } from "./docusaurus-sidebars.ts";

/** Versioned sidebars of older sites name their documents `version-1.0/intro`. */
export function splitVersionPrefix(id: string, version: string): { prefix: string; id: string } {
  const prefix = `version-${version}/`;
  return id.startsWith(prefix) ? { prefix, id: id.slice(prefix.length) } : { prefix: "", id };
}

function documentIds(model: DocusaurusModel, versionKey: string): Map<string, string> {
  return new Map(
    [...model.documents.values()].filter(({ version }) => version.key === versionKey).map(({ id, path }) => [id, path]),
  );
}

function sidebarProblems(model: DocusaurusModel, sidebars: Sidebars, pages: readonly SitePage[]): Problem[] {
  const { file, version } = sidebars;
  const ids = documentIds(model, version.key);
  const own = pages.filter(({ collection }) => collection === version.key);
  const references = sidebars.references.flatMap(({ id: literal }) => {
    const { prefix, id } = splitVersionPrefix(literal.value, version.name);
    if (ids.has(id) || mayBeGenerated(model, `${version.folder}/${id}.md`)) return [];
    const similar = onlySimilarPage(id, own);
    const similarId = similar === undefined ? undefined : model.documents.get(similar)?.id;
    const suggestion = similarId === undefined ? undefined : `${prefix}${similarId}`;
    return [
      problemAt(
        file,
        literal,
        "navigation",
        `The sidebar names the document \`${literal.value}\`, and there is none with that id.`,
        suggestion,
      ),
    ];
  });
  const generated = sidebars.generated.flatMap(({ folder }) => {
    const path = joinPath(version.folder, folder.value);
    if (path === undefined || model.files.hasFolder(path) || mayBeGenerated(model, `${path}/index.md`)) return [];
    return [
      problemAt(
        file,
        folder,
        "navigation",
        `The sidebar is generated from the folder \`${folder.value}\`, and there is no such folder.`,
      ),
    ];
  });
  const hrefs = sidebars.hrefs.flatMap((href) => routeProblem(model, file, href, "The sidebar links to"));
  return [...references, ...generated, ...hrefs];
}

function routeProblem(model: DocusaurusModel, file: Sidebars["file"], literal: LiteralString, what: string): Problem[] {
  const path = literal.value.replace(/[?#].*$/s, "");
  if (!path.startsWith("/") || path.startsWith("//")) return [];
  const resolution = model.routes.lookUp(path, null);
  if (resolution.type !== "missing") return [];
  const to = resolution.redirectsTo === undefined ? undefined : model.documents.get(resolution.redirectsTo)?.route;
  const suggestion = to === undefined ? undefined : `${bareRoute(to)}${literal.value.slice(path.length)}`;
  return [
    problemAt(file, literal, "navigation", `${what} \`${literal.value}\`, and there is no such page.`, suggestion),
  ];
}

/** The navigation bar's and the footer's links to pages, documents and sidebars. */
function themeProblems(model: DocusaurusModel): Problem[] {
  const { config } = model;
  if (config === undefined) return [];
  const theme = property(config.file.root, "themeConfig");
  const problems: Problem[] = [];
  for (const part of [property(theme, "navbar"), property(theme, "footer")]) {
    if (part === undefined) continue;
    walkLiteral(part, (literal) => {
      if (literal.kind !== "object") return;
      const to = property(literal, "to");
      const docId = property(literal, "docId");
      const sidebarId = property(literal, "sidebarId");
      const pluginId = property(literal, "docsPluginId");
      const instance = pluginId?.kind === "string" ? pluginId.value : "default";
      if (to?.kind === "string")
        problems.push(...routeProblem(model, config.file, to, "The site's navigation links to"));
      if (docId?.kind === "string") {
        const versions = model.versions.filter((version) => version.instance === instance && version.locale === null);
        const known = versions.some(
          ({ key, folder }) =>
            documentIds(model, key).has(docId.value) || mayBeGenerated(model, `${folder}/${docId.value}.md`),
        );
        if (!known && versions.length > 0) {
          problems.push(
            problemAt(
              config.file,
              docId,
              "navigation",
              `The site's navigation names the document \`${docId.value}\`, and there is none with that id.`,
            ),
          );
        }
      }
      if (sidebarId?.kind === "string") {
        const own = model.sidebars.filter(({ version }) => version.instance === instance);
        const readable = own.length > 0 && own.every(({ complete }) => complete);
        if (readable && !own.some(({ names }) => names.includes(sidebarId.value))) {
          problems.push(
            problemAt(
              config.file,
              sidebarId,
              "navigation",
              `The site's navigation names the sidebar \`${sidebarId.value}\`, and there is none of that name.`,
            ),
          );
        }
      }
    });
  }
  return problems;
}

function redirectProblems(model: DocusaurusModel): Problem[] {
  const { config, routes } = model;
  if (config === undefined) return [];
  const byRoute = new Set([...model.documents.values()].map(({ route }) => bareRoute(route)));
  const targets = new Map(config.redirects.map(({ from, to }) => [bareRoute(from.value), bareRoute(to.value)]));
  return config.redirects.flatMap(({ from, to }) => {
    const problems: Problem[] = [];
    if (byRoute.has(bareRoute(from.value))) {
      problems.push(
        problemAt(
          config.file,
          from,
          "redirect",
          `There is a page at \`${from.value}\`: the redirect from there is never followed.`,
        ),
      );
    }
    const path = to.value.replace(/[?#].*$/s, "");
    if (!path.startsWith("/")) return problems;
    const seen = new Set<string>();
    let next: string | undefined = bareRoute(path);
    while (next !== undefined && !seen.has(next)) {
      seen.add(next);
      next = targets.get(next);
    }
    if (next === bareRoute(from.value) || seen.has(bareRoute(from.value))) {
      problems.push(
        problemAt(config.file, to, "redirect", `The redirect from \`${from.value}\` leads back to itself.`),
      );
    } else if (routes.lookUp(path, null).type === "missing") {
      problems.push(
        problemAt(config.file, to, "redirect", `The redirect leads to \`${to.value}\`, and there is no such page.`),
      );
    }
    return problems;
  });
}

/** Front matter that stops the build. */
function frontMatterProblems(model: DocusaurusModel): Problem[] {
  return [...model.documents.keys()].flatMap((path): Problem[] => {
    const id = model.facts.get(path)?.frontMatter["id"];
    if (typeof id !== "string" || !id.includes("/")) return [];
    return [
      {
        kind: "front-matter",
        path,
        line: 1,
        column: 1,
        message: `The id \`${id}\` must not contain a slash.`,
        target: id,
      },
    ];
  });
}

export function docusaurusProblems(model: DocusaurusModel, pages: readonly SitePage[]): Problem[] {
  const files = new Map(model.sidebars.map(({ file }) => [file.path, file]));
  const seen = new Set<string>();
  const problems = [
    ...[...files.values()].flatMap((file) => file.problem ?? []),
    ...model.sidebars
      .filter(({ file }) => file.problem === undefined)
      .flatMap((sidebars) => sidebarProblems(model, sidebars, pages)),
    ...themeProblems(model),
    ...redirectProblems(model),
    ...frontMatterProblems(model),
  ];
  // A list that a sidebar names twice is read twice.
  return problems.filter((problem) => {
    const key = `${problem.kind} ${problem.path} ${problem.line} ${problem.column}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
