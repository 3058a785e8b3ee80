import { items, type Literal, type LiteralArray, type LiteralString } from "../../config/literal.ts";
import { insertYamlItem, removeYamlItem, replaceYamlString, yamlString } from "../../config/yaml-edits.ts";
import { joinPath } from "../../paths.ts";
import { onlySimilarPage } from "../../similar-page.ts";
import type { SitePage } from "../framework.ts";
import type { Navigation, NavigationEntry, NavigationGroup } from "../navigation/navigation.ts";
import { mayBeGenerated } from "./mkdocs-resolve.ts";
import type { MkdocsModel } from "./mkdocs-model.ts";

/** Plugins that read navigation of their own, in which folders and patterns may stand. */
const OWN_NAVIGATION = /literate-nav|awesome|section-index|navigation|monorepo|multirepo/i;

function isExternal(value: string): boolean {
  return /^[a-z][a-z\d+.-]*:|^\/\/|^#/i.test(value);
}

/** `nav` of mkdocs.yml. */
export function readMkdocsNavigation(model: MkdocsModel, pages: readonly SitePage[]): Navigation {
  const { config, files } = model;
  const { file, nav, docsFolder } = config;
  const entries: NavigationEntry[] = [];
  const groups: NavigationGroup[] = [];
  const ownNavigation = [...config.plugins].some((name) => OWN_NAVIGATION.test(name));

  const problemOf = (value: string, path: string | undefined): string | undefined => {
    if (isExternal(value) || value.startsWith("/") || value.includes("*") || value.includes("#")) return undefined;
    if (path !== undefined && files.has(path)) {
      return model.isExcluded(path)
        ? `The navigation names \`${value}\`, and that file is left out of the site.`
        : undefined;
    }
    // Only a file of the docs can be told to be missing; a folder is for a plugin to read.
    if (ownNavigation && !/\.md$/i.test(value)) return undefined;
    if (!/\.[A-Za-z\d]+$/.test(value) || mayBeGenerated(model, path)) return undefined;
    return `The navigation names \`${value}\`, and there is no such file in \`${docsFolder || "."}\`.`;
  };

  const entryOf = (array: LiteralArray | undefined, item: Literal, literal: LiteralString): NavigationEntry => {
    const { value } = literal;
    const path = isExternal(value) ? undefined : joinPath(docsFolder, value.replace(/#.*$/, ""));
    const missing = problemOf(value, path);
    const similar =
      missing === undefined || path === undefined || files.has(path) ? undefined : onlySimilarPage(value, pages);
    const index = array?.items.indexOf(item) ?? -1;
    return {
      file,
      literal,
      page: path !== undefined && model.pages.has(path) ? path : undefined,
      ...(missing === undefined ? {} : { missing }),
      ...(similar === undefined ? {} : { suggestion: model.inDocs(similar) }),
      rename: (to) => [{ file, edit: replaceYamlString(file.text, literal, model.inDocs(to.path)) }],
      ...(array === undefined || index === -1
        ? {}
        : {
            remove: () => ({ file, edit: removeYamlItem(file.text, array, index) }),
            insertAfter: (to) => ({
              file,
              edit: insertYamlItem(file.text, array, index, yamlString(model.inDocs(to.path))),
            }),
          }),
    };
  };

  const walk = (literal: Literal, label: string | undefined): void => {
    if (literal.kind !== "array") return;
    if (label !== undefined) {
      groups.push({
        label,
        append: (page) => ({
          file,
          edit: insertYamlItem(file.text, literal, literal.items.length - 1, yamlString(model.inDocs(page.path))),
        }),
      });
    }
    for (const item of items(literal)) {
      if (item.kind === "string") entries.push(entryOf(literal, item, item));
      if (item.kind !== "object") continue;
      // `- A: a.md` is an item of its own; `- { A: a.md, B: b.md }` are several, none of which can go alone.
      const list = item.properties.length === 1 ? literal : undefined;
      for (const { key, value } of item.properties) {
        if (value.kind === "string") entries.push(entryOf(list, item, value));
        else walk(value, key);
      }
    }
  };
  if (nav?.kind === "array") walk(nav, undefined);
  if (nav?.kind === "object") {
    for (const { key, value } of nav.properties) {
      if (value.kind === "string") entries.push(entryOf(undefined, value, value));
      else walk(value, key);
    }
  }
  return { entries, groups, isGenerated: () => nav === undefined, files: [file], name: "the navigation" };
}
