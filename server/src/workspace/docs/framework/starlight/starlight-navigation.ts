import { problemAt, type PlacedLiteral } from "../../config/config-file.ts";
import { quoted } from "../../config/literal-edits.ts";
import { property, stringValue, type Literal, type LiteralString } from "../../config/literal.ts";
import type { Problem } from "../../problem.ts";
import { folderOf, isUnder, joinPath } from "../../paths.ts";
import { onlySimilarPage } from "../../similar-page.ts";
import type { SitePage } from "../framework.ts";
import { listEntry, listGroup, type LiteralList } from "../navigation/literal-list.ts";
import type { Navigation, NavigationEntry, NavigationGroup } from "../navigation/navigation.ts";
import { bareRoute } from "../route.ts";
import type { StarlightModel } from "./starlight-model.ts";

/** Addresses outside of the site. */
function isExternal(link: string): boolean {
  return /^[a-z][a-z\d+.-]*:|^\/\/|^#/i.test(link);
}

/** The slug that a sidebar names a page by: its address in the default language, without slashes. */
function slugFor(model: StarlightModel, route: string): string {
  const { defaultLocale } = model.config;
  const locale = defaultLocale === "" ? "" : `/${defaultLocale.toLowerCase()}`;
  const own = locale !== "" && isUnder(route, locale) ? route.slice(locale.length) : route;
  return own.replaceAll(/^\/+|\/+$/g, "") || "index";
}

function pageForSlug(model: StarlightModel, slug: string): string | undefined {
  const { defaultLocale } = model.config;
  const wanted = bareRoute(`/${defaultLocale.toLowerCase()}/${slug === "index" ? "" : slug}`);
  return [...model.pages.values()].find(({ route }) => route === wanted)?.path;
}

/** The sidebar of the configuration, as far as it stands there literally. */
export function readStarlightNavigation(model: StarlightModel, pages: readonly SitePage[]): Navigation {
  const { config, addresses, files } = model;
  const entries: NavigationEntry[] = [];
  const groups: NavigationGroup[] = [];
  const generated: string[] = [];
  const sidebar = config.sidebar;

  const slugEntry = (list: LiteralList, literal: LiteralString, item: Literal): NavigationEntry => {
    const page = config.ownIds ? undefined : pageForSlug(model, literal.value);
    const isMissing = page === undefined && !config.ownIds && config.locales !== null;
    const similar = isMissing ? onlySimilarPage(literal.value, pages) : undefined;
    const route = similar === undefined ? undefined : model.pages.get(similar)?.route;
    return listEntry(list, {
      literal,
      item,
      page,
      missing: isMissing ? `The sidebar names the page \`${literal.value}\`, and there is no such page.` : undefined,
      suggestion: route === undefined ? undefined : slugFor(model, route),
      nameOf: (to) => slugFor(model, to.route),
    });
  };

  const linkEntry = (list: LiteralList, literal: LiteralString, item: Literal): NavigationEntry | undefined => {
    const link = literal.value;
    if (isExternal(link)) return undefined;
    const path = link.replace(/[?#].*$/s, "");
    const resolution = addresses.lookUp(path);
    const isMissing = resolution.type === "missing";
    return listEntry(list, {
      literal,
      item,
      page: resolution.type === "page" && resolution.redirected !== true ? resolution.path : undefined,
      missing: isMissing ? `The sidebar links to \`${link}\`, and there is no such page.` : undefined,
      nameOf: ({ route }) => {
        const slug = slugFor(model, route);
        const start = link.startsWith("/") ? "/" : "";
        const end = path.length > 1 && path.endsWith("/") ? "/" : "";
        return slug === "index" ? "/" : `${start}${slug}${end}${link.slice(path.length)}`;
      },
    });
  };

  const directoryEntry = (list: LiteralList, literal: LiteralString, item: Literal): void => {
    const folder = literal.value.replaceAll(/^\/+|\/+$/g, "");
    generated.push(folder);
    const locales = ["", ...(config.locales ?? [])];
    const isThere = locales.some((locale) => {
      const path = joinPath(config.contentFolder, `${locale}/${folder}`) ?? "";
      return files.hasFolder(path) || [...model.pages.keys()].some((page) => page.replace(/\.\w+$/, "") === path);
    });
    if (isThere || config.locales === null || !files.hasFolder(config.contentFolder)) return;
    const missing = `The sidebar is generated from the folder \`${literal.value}\`, and there is no such folder.`;
    entries.push({ ...listEntry(list, { literal, item, page: undefined, missing, nameOf: () => undefined }) });
  };

  const walk = ({ file, literal }: PlacedLiteral, label: string | undefined): void => {
    if (literal.kind !== "array") return;
    const list: LiteralList = {
      file,
      array: literal,
      write: ({ route }, quote) => quoted(slugFor(model, route), quote),
    };
    if (label !== undefined) groups.push(listGroup(list, label));
    for (const item of literal.items) {
      const [slug, link] = [property(item, "slug"), property(item, "link")];
      const folder = property(property(item, "autogenerate"), "directory");
      if (item.kind === "string") entries.push(slugEntry(list, item, item));
      else if (slug?.kind === "string") entries.push(slugEntry(list, slug, item));
      else if (link?.kind === "string")
        entries.push(...[linkEntry(list, link, item)].filter((entry) => entry !== undefined));
      else if (folder?.kind === "string") directoryEntry(list, folder, item);
      const inner = property(item, "items");
      if (inner !== undefined) walk({ file, literal: inner }, stringValue(property(item, "label")));
    }
  };
  if (sidebar !== undefined) walk(sidebar, undefined);

  const isGenerated = (path: string): boolean => {
    if (sidebar === undefined) return true;
    const inContent = isUnder(path, config.contentFolder) ? folderOf(path.slice(config.contentFolder.length + 1)) : "";
    const locale = (config.locales ?? []).find((name) => isUnder(inContent, name));
    const folder = locale === undefined ? inContent : inContent.slice(locale.length + 1);
    return generated.some((name) => isUnder(folder, name));
  };
  const isLiteral = sidebar?.literal.kind === "array";
  return {
    entries,
    groups,
    isGenerated,
    files: [config.file],
    name: "the sidebar",
    ...(isLiteral || sidebar === undefined
      ? {}
      : { refusal: "The sidebar is made by code, so a person has to add the page." }),
  };
}

/** Logos that the configuration names by a path from the site's folder. */
export function logoProblems({ config, files }: StarlightModel): Problem[] {
  return config.logos.flatMap(({ file, literal }) => {
    const value = stringValue(literal);
    if (value === undefined || literal.kind !== "string" || !/^(?:\.\/|\/src\/)/.test(value)) return [];
    const path = joinPath(files.docsPath, value.replace(/^\//, ""));
    return path !== undefined && files.has(path)
      ? []
      : [problemAt(file, literal, "image", `There is no file \`${value}\`.`)];
  });
}
