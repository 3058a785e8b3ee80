import type { DocsFiles } from "../../docs-files.ts";
import { baseName, folderOf } from "../../paths.ts";
import { createAnchorIndex } from "../anchor-index.ts";
import type { Framework, Site, SitePage } from "../framework.ts";
import { CONFIG_NAMES } from "./docusaurus-config.ts";
import { createDocusaurusEdits, followMove } from "./docusaurus-edits.ts";
import { readDocusaurusModel, type DocusaurusModel } from "./docusaurus-model.ts";
import { docusaurusProblems } from "./docusaurus-problems.ts";
import { docusaurusProfile } from "./docusaurus-profile.ts";
import { resolveDocusaurus } from "./docusaurus-resolve.ts";
import { bareRoute } from "../route.ts";
import { writeDocusaurusLink } from "./docusaurus-write.ts";

/** Components of Docusaurus itself that give no ids beyond those in the text. */
const NO_IDS =
  /^@theme\/(?:Tabs|TabItem|CodeBlock|Admonition|Details|Heading|IconExternalLink|ThemedImage|BrowserWindow)\b|^@docusaurus\/|\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|json|txt|pdf|mp4)$|^[!-]|^react$|^clsx$/;

/** The models of sites, so that the site before a move can ask the one after it for ids and routes. */
const models = new WeakMap<Site, DocusaurusModel>();

function sitePages(model: DocusaurusModel): SitePage[] {
  const documents = [...model.documents.values()].map(({ path, route, version }) => ({
    path,
    route: bareRoute(route),
    partial: false,
    collection: version.key,
  }));
  const partials = [...model.partials].map((path) => ({ path, route: null, partial: true, collection: "partials" }));
  const routes = new Map([...model.otherRoutes].map(([route, path]) => [path, route]));
  const others = model.others.map((path) => ({
    path,
    route: routes.get(path) ?? null,
    partial: baseName(path).startsWith("_"),
    collection: "others",
  }));
  return [...documents, ...partials, ...others].sort((left, right) => (left.path < right.path ? -1 : 1));
}

async function open(files: DocsFiles): Promise<Site> {
  const model = await readDocusaurusModel(files);
  const pages = sitePages(model);
  const replacesComponents = files.paths.some((path) => /(?:^|\/)src\/theme\/MDXComponents(?:\.|\/)/.test(path));
  const imported = { role: "import", syntax: "script", element: null } as const;
  const site: Site = {
    pages,
    facts: model.facts,
    resolve: (fromPath, path, link) => resolveDocusaurus(model, fromPath, path, link),
    write: (fromPath, toPath, like, link) => writeDocusaurusLink(model, fromPath, toPath, like, link),
    normalizeAnchor: (anchor) => anchor,
    anchors: createAnchorIndex(model.facts, {
      importedPage(fromPath, source) {
        const target = resolveDocusaurus(model, fromPath, source, imported);
        if (target.type === "page") return target.path;
        return NO_IDS.test(source) ? null : undefined;
      },
      included: () => [],
      generatesIds: (_, page) => replacesComponents && page.usesGlobalComponents,
    }),
    configurationProblems: () => docusaurusProblems(model, pages),
    followMove({ from, to, after }) {
      const modelAfter = models.get(after);
      return modelAfter === undefined
        ? { edits: new Map(), navigationEntries: 0, redirect: null }
        : followMove(model, modelAfter, from, to);
    },
    ...createDocusaurusEdits(model),
  };
  models.set(site, model);
  return site;
}

/** Docusaurus 2 and 3. Its configuration is read, never run: what does not stand in it literally is not checked. */
export const docusaurus: Framework = {
  name: "docusaurus",
  profile: docusaurusProfile,
  folders: (paths) => paths.filter((path) => CONFIG_NAMES.includes(baseName(path))).map(folderOf),
  isNavigationFile: (pathInDocs) =>
    /^(?:sidebars\w*\.(?:[cm]?[jt]s|json)|(?:\w+_)?versioned_sidebars\/[^/]+\.json)$/.test(pathInDocs) ||
    /(?:^|\/)_category_\.(?:json|ya?ml)$/.test(pathInDocs) ||
    CONFIG_NAMES.includes(pathInDocs),
  editableKeys: (pathInDocs) => (CONFIG_NAMES.includes(pathInDocs) ? ["navbar", "footer", "redirects"] : undefined),
  open,
};
