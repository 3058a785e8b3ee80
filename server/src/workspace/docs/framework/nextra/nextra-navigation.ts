import { readConfigFile, type ConfigFile } from "../../config/config-file.ts";
import { indentationAt, insertProperty, lineBreak, quoted } from "../../config/literal-edits.ts";
import {
  property,
  stringValue,
  type LiteralObject,
  type LiteralProperty,
  type LiteralString,
} from "../../config/literal.ts";
import { baseName, folderOf, isPagePath, isUnder } from "../../paths.ts";
import type { TextEdit } from "../../text-edit.ts";
import type { Navigation, NavigationEntry, NavigationGroup, NavigationTarget } from "../navigation/navigation.ts";
import { quoteOf } from "../navigation/redirects.ts";
import type { NextraModel } from "./nextra-model.ts";

const META = /(?:^|\/)_meta(?:\.[\w-]+)?\.(?:json|[cm]?[jt]sx?)$/;

/** A list of names in a `_meta` file, and the folder that they are names of. */
interface Meta {
  file: ConfigFile;
  object: LiteralObject;
  folder: string;
  label: string;
}

/** The last part of a page's path as `_meta` names it. */
function nameOf(path: string, model: NextraModel): string {
  const page = model.pageAt(path);
  const isApp = model.appFolders.some((folder) => isUnder(path, folder));
  if (isApp) return baseName(folderOf(path)) || "index";
  const name = baseName(path).replace(/\.mdx?$/i, "");
  const suffix = page === undefined || page.language === "" ? "" : `.${page.language}`;
  return suffix !== "" && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

/** The folder whose `_meta` names the page. */
function folderNaming(path: string, model: NextraModel): string {
  const isApp = model.appFolders.some((folder) => isUnder(path, folder));
  return isApp ? folderOf(folderOf(path)) : folderOf(path);
}

function keyLiteral(text: string, entry: LiteralProperty): LiteralString {
  const quotes = /["'`]/.test(text[entry.start] ?? "") ? 2 : 0;
  return { kind: "string", value: entry.key, start: entry.start, end: entry.start + entry.key.length + quotes };
}

/** A name as the key of an object, bare where it may be. */
function keyText(name: string, file: ConfigFile): string {
  if (file.path.endsWith(".json")) return JSON.stringify(name);
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name, quoteOf(file.text));
}

function titleText(name: string, file: ConfigFile): string {
  const words = name.replaceAll(/[-_]+/g, " ").trim();
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return file.path.endsWith(".json") ? JSON.stringify(title) : quoted(title, quoteOf(file.text));
}

function insertAfterProperty(text: string, object: LiteralObject, after: LiteralProperty, pair: string): TextEdit {
  const first = object.properties[0];
  const inLines = first !== undefined && text.slice(object.start, first.start).includes("\n");
  const separator = inLines ? `${lineBreak(text)}${indentationAt(text, after.start)}` : " ";
  return { start: after.end, end: after.end, text: `,${separator}${pair}` };
}

function removeProperty(text: string, object: LiteralObject, entry: LiteralProperty): TextEdit {
  const index = object.properties.indexOf(entry);
  const previous = object.properties[index - 1];
  if (index === object.properties.length - 1 && previous !== undefined) {
    return { start: previous.end, end: entry.end, text: "" };
  }
  const after = /^\s*,[ \t]*(?:\r?\n[ \t]*)?/.exec(text.slice(entry.end));
  return { start: entry.start, end: entry.end + (after?.[0].length ?? 0), text: "" };
}

/** Entries that name no page: separators, menus, links, and defaults for all pages. */
function isOwnItem(entry: LiteralProperty): boolean {
  const type = stringValue(property(entry.value, "type"));
  return (
    entry.key === "*" ||
    entry.key === "" ||
    type === "separator" ||
    type === "menu" ||
    property(entry.value, "href") !== undefined ||
    entry.value.kind === "unknown" ||
    (entry.value.kind === "object" && !entry.value.complete)
  );
}

export async function readNextraNavigation(model: NextraModel): Promise<Navigation> {
  const { files, contentFolder, appFolders } = model;
  const folders = [...appFolders, ...(contentFolder === undefined ? [] : [contentFolder])];
  const metas: Meta[] = [];
  const configs: ConfigFile[] = [];
  const collect = (file: ConfigFile, object: LiteralObject, folder: string, label: string): void => {
    metas.push({ file, object, folder, label });
    for (const { key, value } of object.properties) {
      const items = property(value, "items");
      if (items?.kind !== "object" || stringValue(property(value, "type")) === "menu") continue;
      collect(file, items, folder === "" ? key : `${folder}/${key}`, stringValue(property(value, "title")) ?? key);
    }
  };
  for (const path of files.paths) {
    const global = /(?:^|\/)_meta\.global\.[cm]?[jt]sx?$/.test(path);
    if (!META.test(path) || !folders.some((folder) => isUnder(path, folder))) continue;
    const file = await readConfigFile(files, path);
    if (file === undefined) continue;
    configs.push(file);
    const folder = folderOf(path);
    // A global file's names may be of either directory; where both have pages it cannot be told which.
    if (global && folders.length > 1) continue;
    if (file.root?.kind === "object") collect(file, file.root, folder, baseName(folder));
  }

  const names = namesByFolder(model);
  const entries: NavigationEntry[] = [];
  const groups: NavigationGroup[] = [];
  const metaOf = (path: string): Meta | undefined => metas.find(({ folder }) => folder === folderNaming(path, model));
  const pair = (file: ConfigFile, page: NavigationTarget, value?: string): string => {
    const name = nameOf(page.path, model);
    return `${keyText(name, file)}: ${value ?? titleText(name, file)}`;
  };
  const append = ({ file, object }: Meta, page: NavigationTarget, value?: string): TextEdit | undefined => {
    const name = nameOf(page.path, model);
    return object.properties.some(({ key }) => key === name)
      ? undefined
      : insertProperty(file.text, object, keyText(name, file), value ?? titleText(name, file));
  };

  for (const meta of metas) {
    const { file, object, folder } = meta;
    groups.push({ label: meta.label, append: (page) => ({ file, edit: append(meta, page) }) });
    for (const entry of object.properties) {
      const href = property(entry.value, "href");
      if (href?.kind === "string") entries.push(...hrefEntry(model, file, href));
      const literal = keyLiteral(file.text, entry);
      const known = names.get(folder);
      const page = known?.get(entry.key);
      const isMissing = object.complete && known?.has(entry.key) !== true && !isOwnItem(entry);
      entries.push({
        file,
        literal,
        page,
        ...(isMissing
          ? { missing: `The navigation names \`${entry.key}\`, and there is no such page or folder in \`${folder}\`.` }
          : {}),
        rename(to) {
          if (folderNaming(to.path, model) === folder) {
            const edit = { start: literal.start, end: literal.end, text: keyText(nameOf(to.path, model), file) };
            return nameOf(to.path, model) === entry.key ? [] : [{ file, edit }];
          }
          const gone = { file, edit: removeProperty(file.text, object, entry) };
          const other = metaOf(to.path);
          const value = file.text.slice(entry.value.start, entry.value.end);
          return other === undefined ? [gone] : [gone, { file: other.file, edit: append(other, to, value) }];
        },
        remove: () => ({ file, edit: removeProperty(file.text, object, entry) }),
        insertAfter: (to) => ({
          file,
          edit:
            folderNaming(to.path, model) === folder
              ? insertAfterProperty(file.text, object, entry, pair(file, to))
              : undefined,
        }),
      });
    }
  }
  return {
    entries,
    groups,
    // A page that no `_meta` names follows the named ones.
    isGenerated: () => true,
    files: configs,
    name: "the navigation",
  };
}

function hrefEntry(model: NextraModel, file: ConfigFile, literal: LiteralString): NavigationEntry[] {
  const { value } = literal;
  if (!value.startsWith("/") || value.startsWith("//")) return [];
  const path = value.replace(/[?#].*$/s, "");
  const resolution = model.addresses.lookUp(path);
  return [
    {
      file,
      literal,
      page: resolution.type === "page" && resolution.redirected !== true ? resolution.path : undefined,
      ...(resolution.type === "missing"
        ? { missing: `The navigation links to \`${value}\`, and there is no such page.` }
        : {}),
      rename: ({ route }) => [
        {
          file,
          edit: {
            start: literal.start,
            end: literal.end,
            text: quoted(`${route}${value.slice(path.length)}`, file.text[literal.start] ?? '"'),
          },
        },
      ],
    },
  ];
}

/** What a folder's `_meta` may name: its pages, with their paths, and its folders. */
function namesByFolder(model: NextraModel): Map<string, Map<string, string | undefined>> {
  const names = new Map<string, Map<string, string | undefined>>();
  const note = (folder: string, name: string, path: string | undefined): void => {
    const known = names.get(folder) ?? new Map<string, string | undefined>();
    names.set(folder, known);
    if (path !== undefined || !known.has(name)) known.set(name, path);
  };
  const roots = [...model.appFolders, ...(model.contentFolder === undefined ? [] : [model.contentFolder])];
  for (const path of model.files.paths) {
    const root = roots.find((folder) => isUnder(path, folder));
    if (root === undefined || META.test(path)) continue;
    const isPage = isPagePath(path) || /\.[jt]sx?$/.test(path);
    if (!isPage) continue;
    const isApp = model.appFolders.includes(root);
    if (!isApp || baseName(path).startsWith("page.")) {
      if (path !== `${root}/${baseName(path)}` || !isApp)
        note(
          folderNaming(path, model),
          nameOf(path, model).replace(/\.[jt]sx?$/, ""),
          isPagePath(path) ? path : undefined,
        );
      if (isApp) note(folderOf(path), "index", isPagePath(path) ? path : undefined);
    }
    for (let folder = folderOf(path); folder !== root && folder !== ""; folder = folderOf(folder)) {
      const parent = folderOf(folder);
      note(parent, baseName(folder), undefined);
      // Groups and slots are no part of an address.
      if (isApp && /^\(.*\)$/.test(baseName(folder))) note(folderOf(parent), baseName(parent), undefined);
    }
  }
  return names;
}
