import { followImport, type PlacedLiteral } from "../../config/config-file.ts";
import { quoted } from "../../config/literal-edits.ts";
import { property, stringValue, unwrapped, type Literal, type LiteralString } from "../../config/literal.ts";
import { baseName } from "../../paths.ts";
import { onlySimilarPage } from "../../similar-page.ts";
import type { SitePage } from "../framework.ts";
import { listEntry, listGroup, type LiteralList } from "../navigation/literal-list.ts";
import type { Navigation, NavigationEntry, NavigationGroup } from "../navigation/navigation.ts";
import type { VitepressModel } from "./vitepress-model.ts";
import { isFileLink, resolveVitepress } from "./vitepress-resolve.ts";
import { pageNameLike } from "./vitepress-write.ts";

const LINK = { role: "link", syntax: "markdown", element: null } as const;

function isExternal(link: string): boolean {
  return /^[a-z][a-z\d+.-]*:|^\/\/|^#/i.test(link);
}

/** The theme puts an item's `base` in front of its link (`addBase` of the default theme). */
function withBase(base: string, link: string): string {
  if (base === "") return link.startsWith("/") ? link : `/${link}`;
  return `${base}${link.replace(/^\//, base.endsWith("/") ? "" : "/")}`;
}

/** The text of a new item: from the file's name, as nothing else is known of a page that may not be written yet. */
function titleOf(path: string): string {
  const name = baseName(path).replace(/\.md$/, "").replaceAll(/[-_]+/g, " ").trim();
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Sidebars and navigation bars of the theme's configuration, as far as they stand there literally. */
export async function readVitepressNavigation(model: VitepressModel, pages: readonly SitePage[]): Promise<Navigation> {
  const { config } = model;
  const entries: NavigationEntry[] = [];
  const groups: NavigationGroup[] = [];
  let sidebars = 0;
  const read = new Map(config.files.map((file) => [file.path, file]));
  const follow = async (value: PlacedLiteral): Promise<PlacedLiteral> => {
    const found = await followImport(model.files, value);
    read.set(found.file.path, found.file);
    return { file: found.file, literal: unwrapped(found.literal) ?? found.literal };
  };

  const entryOf = (
    list: LiteralList,
    literal: LiteralString,
    item: Literal,
    base: string,
  ): NavigationEntry | undefined => {
    const link = literal.value;
    if (isExternal(link) || config.rewrites === null) return undefined;
    const path = withBase(base, link).replace(/[?#].*$/s, "");
    const suffix = /[?#].*$/s.exec(link)?.[0] ?? "";
    const own = link.slice(0, link.length - suffix.length);
    const resolution = resolveVitepress(model, "", path, LINK);
    const isMissing = resolution.type === "missing";
    const similar = isMissing ? onlySimilarPage(path, pages) : undefined;
    const nameOf = ({ route }: { route: string }): string | undefined => {
      const output = route.endsWith("/") ? `${route}index`.slice(1) : route.slice(1);
      const written = `/${pageNameLike(output, own)}`;
      if (base === "") return `${own.startsWith("/") ? written : written.slice(1)}${suffix}`;
      if (!written.startsWith(base)) return undefined;
      const rest = written.slice(base.length);
      return `${own.startsWith("/") && base.endsWith("/") ? `/${rest}` : rest}${suffix}`;
    };
    const route = similar === undefined ? undefined : routeOf(model, similar);
    return listEntry(list, {
      literal,
      item,
      page: resolution.type === "page" ? resolution.path : undefined,
      missing: isMissing
        ? `The navigation links to \`${link}\`, and there is no such ${isFileLink(path) ? "file" : "page"}.`
        : undefined,
      suggestion: route === undefined ? undefined : nameOf({ route }),
      nameOf,
      isFixed: property(item, "items") !== undefined,
    });
  };

  const walk = async (
    value: PlacedLiteral,
    label: string | undefined,
    base: string,
    inSidebar: boolean,
  ): Promise<void> => {
    const { file, literal } = await follow(value);
    if (literal.kind !== "array") return;
    const list: LiteralList = {
      file,
      array: literal,
      write({ path, route }, quote, like) {
        const near = stringValue(property(like, "link")) ?? "/";
        const output = route.endsWith("/") ? `${route}index`.slice(1) : route.slice(1);
        const written = `/${pageNameLike(output, near)}`;
        const link = base !== "" && written.startsWith(base) ? written.slice(base.length) : written;
        return `{ text: ${quoted(titleOf(path), quote)}, link: ${quoted(link, quote)} }`;
      },
    };
    if (label !== undefined && inSidebar) groups.push(listGroup(list, label));
    for (const item of literal.items) {
      const link = property(item, "link");
      const ownBase = stringValue(property(item, "base")) ?? base;
      if (link?.kind === "string")
        entries.push(...[entryOf(list, link, item, ownBase)].filter((entry) => entry !== undefined));
      const inner = property(item, "items");
      if (inner !== undefined)
        await walk({ file, literal: inner }, stringValue(property(item, "text")) ?? label, ownBase, inSidebar);
    }
  };

  for (const { kind, value } of config.parts) {
    const inSidebar = kind === "sidebar";
    if (inSidebar) sidebars += 1;
    if (value.literal.kind !== "object") {
      await walk(value, undefined, "", inSidebar);
      continue;
    }
    for (const { key, value: literal } of value.literal.properties) {
      const part = await follow({ file: value.file, literal });
      const base = stringValue(property(part.literal, "base")) ?? "";
      const list = part.literal.kind === "object" ? property(part.literal, "items") : part.literal;
      if (list !== undefined) await walk({ file: part.file, literal: list }, key, base, inSidebar);
    }
  }
  return {
    entries,
    groups,
    isGenerated: () => sidebars === 0,
    files: [...read.values()],
    name: "the sidebar",
    ...(groups.length > 0 || entries.length > 0
      ? {}
      : { refusal: "The sidebar is made by code, so a person has to add the page." }),
  };
}

/** The address of a page as it is compared: an index ends in a slash, as links to it must. */
export function routeOf(model: VitepressModel, path: string): string | undefined {
  const output = model.pages.get(path) ?? (path.endsWith(".md") ? model.outputOf(path) : undefined);
  return output === undefined ? undefined : `/${output.replace(/(^|\/)index$/, "$1")}`;
}
