import { readConfigFile, type ConfigFile } from "../../config/config-file.ts";
import { removeItem } from "../../config/literal-edits.ts";
import { items, property, stringValue, type LiteralArray, type LiteralString } from "../../config/literal.ts";
import { baseName, folderOf, isUnder, joinPath, relativePath, withoutPageSuffix } from "../../paths.ts";
import { onlySimilarPage } from "../../similar-page.ts";
import type { SitePage } from "../framework.ts";
import { listEntry, listGroup, type LiteralList } from "../navigation/literal-list.ts";
import type { Navigation, NavigationEntry, NavigationGroup, PlacedEdit } from "../navigation/navigation.ts";
import type { FumadocsModel } from "./fumadocs-model.ts";

const SEPARATOR = /^---(?:.*---)?$/;
const LINK = /^(?:external:)?(?:\[[^\]]+\])?\[[^\]]+\]\(([^)]+)\)$/;

/** A `meta.json`: the pages of its folder in their order. */
interface Meta {
  file: ConfigFile;
  folder: string;
  label: string;
  pages: LiteralArray | undefined;
  /** `...`: the pages that are not named follow. */
  takesRest: boolean;
  /** `.de` in `meta.de.json`. */
  language: string;
}

async function readMetas({ files, config }: FumadocsModel): Promise<Meta[]> {
  const paths = files.paths.filter(
    (path) =>
      /(?:^|\/)meta(?:\.[\w-]+)?\.json$/.test(path) && config.collections.some(({ folder }) => isUnder(path, folder)),
  );
  const metas = await Promise.all(
    paths.map(async (path): Promise<Meta | undefined> => {
      const file = await readConfigFile(files, path);
      if (file === undefined) return undefined;
      const pages = property(file.root, "pages");
      return {
        file,
        folder: folderOf(path),
        label: stringValue(property(file.root, "title")) ?? baseName(folderOf(path)),
        pages: pages?.kind === "array" ? pages : undefined,
        takesRest: items(pages).some((item) => /^(?:\.\.\.|z\.\.\.a)$/.test(stringValue(item) ?? "")),
        language: /meta(\.[\w-]+)\.json$/.exec(path)?.[1] ?? "",
      };
    }),
  );
  return metas.filter((meta) => meta !== undefined);
}

/** How a folder's meta.json names a page: by its path from there, without suffix and language. */
function nameIn({ folder, language }: Meta, path: string): string {
  const stem = withoutPageSuffix(relativePath(`${folder}/meta.json`, path));
  return language !== "" && stem.endsWith(language) ? stem.slice(0, -language.length) : stem;
}

export async function readFumadocsNavigation(model: FumadocsModel, pages: readonly SitePage[]): Promise<Navigation> {
  const { files, config, addresses } = model;
  const metas = await readMetas(model);
  const entries: NavigationEntry[] = [];
  const groups: NavigationGroup[] = [];

  const listOf = (meta: Meta, array: LiteralArray): LiteralList => ({
    file: meta.file,
    array,
    write: ({ path }) => JSON.stringify(nameIn(meta, path)),
  });
  const metaFor = (path: string): Meta | undefined =>
    metas.find(
      ({ folder, language }) => folder === folderOf(path) && (language === "" || path.includes(`${language}.`)),
    );

  const pageAt = (meta: Meta, target: string): string | undefined =>
    [`${target}${meta.language}.mdx`, `${target}${meta.language}.md`, `${target}.mdx`, `${target}.md`].find((path) =>
      model.pages.has(path),
    );
  const isThere = (target: string): boolean =>
    files.hasFolder(target) || /\.[A-Za-z\d]+$/.test(target)
      ? files.hasFolder(target) || files.has(target)
      : config.languages.some((name) => ["mdx", "md"].some((suffix) => files.has(`${target}.${name}.${suffix}`)));

  const pageEntry = (meta: Meta, list: LiteralList, literal: LiteralString, name: string): NavigationEntry => {
    const target = joinPath(meta.folder, name) ?? name;
    const page = pageAt(meta, target);
    const isMissing =
      page === undefined && !isThere(target) && !(config.addsPages && !model.pages.has(`${target}.mdx`));
    const near = pages.filter(({ path }) =>
      config.collections.some(({ folder }) => isUnder(path, folder) && isUnder(target, folder)),
    );
    const similar = isMissing ? onlySimilarPage(name, near) : undefined;
    const entry = listEntry(list, {
      literal,
      item: literal,
      page,
      missing: isMissing
        ? `The navigation names \`${literal.value}\`, and there is no such page or folder in \`${meta.folder}\`.`
        : undefined,
      suggestion: similar === undefined || !isUnder(similar, meta.folder) ? undefined : nameIn(meta, similar),
      nameOf: ({ path }) => nameIn(meta, path),
    });
    return {
      ...entry,
      rename(to) {
        if (isUnder(to.path, meta.folder)) return entry.rename(to);
        // Out of the folder: the entry goes, and the new folder's list names the page unless it takes all.
        const other = metaFor(to.path);
        const gone: PlacedEdit = {
          file: meta.file,
          edit: removeItem(meta.file.text, list.array, list.array.items.indexOf(literal)),
        };
        if (other?.pages === undefined || other.takesRest) return [gone];
        return [gone, listGroup(listOf(other, other.pages), other.label).append(to)];
      },
    };
  };

  const linkEntry = (list: LiteralList, literal: LiteralString, url: string): NavigationEntry | undefined => {
    if (!url.startsWith("/") || url.startsWith("//")) return undefined;
    const path = url.replace(/[?#].*$/s, "");
    const resolution = addresses.lookUp(path);
    return listEntry(list, {
      literal,
      item: literal,
      page: resolution.type === "page" && resolution.redirected !== true ? resolution.path : undefined,
      missing:
        resolution.type === "missing" ? `The navigation links to \`${url}\`, and there is no such page.` : undefined,
      nameOf: ({ route }) => literal.value.replace(`(${url})`, () => `(${route}${url.slice(path.length)})`),
    });
  };

  for (const meta of metas) {
    if (meta.pages === undefined) continue;
    const list = listOf(meta, meta.pages);
    groups.push(listGroup(list, meta.label));
    for (const item of meta.pages.items) {
      if (item.kind !== "string") continue;
      const { value } = item;
      if (/^(?:\.\.\.|z\.\.\.a)$/.test(value) || SEPARATOR.test(value) || value.startsWith("!")) continue;
      const url = LINK.exec(value)?.[1];
      if (url !== undefined) entries.push(...[linkEntry(list, item, url)].filter((entry) => entry !== undefined));
      else if (value.startsWith("...")) {
        const folder = joinPath(meta.folder, value.slice(3)) ?? "";
        const missing = `The navigation takes in the folder \`${value.slice(3)}\`, and there is no such folder.`;
        const isMissing = !files.hasFolder(folder) && !config.addsPages;
        if (isMissing)
          entries.push(listEntry(list, { literal: item, item, page: undefined, missing, nameOf: () => undefined }));
      } else entries.push(pageEntry(meta, list, item, value));
    }
  }

  return {
    entries,
    groups,
    isGenerated(path) {
      const meta = metaFor(path);
      return meta?.pages === undefined || meta.takesRest;
    },
    files: metas.map(({ file }) => file),
    name: "the navigation",
  };
}
