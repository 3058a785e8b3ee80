import type { ConfigFile } from "../../config/config-file.ts";
import {
  indentationAt,
  indentationUnit,
  insertItem,
  insertProperty,
  lineBreak,
  removeItem,
  replaceString,
} from "../../config/literal-edits.ts";
import type { LiteralString } from "../../config/literal.ts";
import { isPagePath, withoutPageSuffix } from "../../paths.ts";
import type { TextEdit } from "../../text-edit.ts";
import type { ConfigurationEdits, Site } from "../framework.ts";
import type { MintlifyConfig, MintlifyRedirect, NavigationEntry } from "./mintlify-config.ts";
import type { MintlifyPaths } from "./mintlify-paths.ts";
import { isPattern, sitePath } from "./mintlify-redirects.ts";

type Edits = Pick<Site, "followMove" | "addToNavigation" | "removeFromNavigation">;

function note(edits: ConfigurationEdits, file: ConfigFile, edit: TextEdit | undefined): void {
  if (edit !== undefined) edits.set(file.path, [...(edits.get(file.path) ?? []), edit]);
}

/** A redirect in the layout of the ones before it, else over several lines. */
function redirectItem(config: MintlifyConfig, source: string, destination: string): string {
  const { text } = config.main;
  const fields = [`"source": ${JSON.stringify(source)}`, `"destination": ${JSON.stringify(destination)}`];
  const first = config.redirectsArray?.items[0];
  if (first !== undefined && !text.slice(first.start, first.end).includes("\n")) return `{ ${fields.join(", ")} }`;
  const unit = indentationUnit(text);
  const outer = first === undefined ? unit.repeat(2) : indentationAt(text, first.start);
  const eol = lineBreak(text);
  return `{${eol}${fields.map((field) => `${outer}${unit}${field}`).join(`,${eol}`)}${eol}${outer}}`;
}

function addRedirect(config: MintlifyConfig, source: string, destination: string): TextEdit | undefined {
  const { text, root } = config.main;
  const item = redirectItem(config, source, destination);
  const array = config.redirectsArray;
  const unit = indentationUnit(text);
  const eol = lineBreak(text);
  const lines = `[${eol}${unit.repeat(2)}${item}${eol}${unit}]`;
  if (array === undefined)
    return root?.kind === "object" ? insertProperty(text, root, '"redirects"', lines) : undefined;
  if (array.items.length === 0) return { start: array.start, end: array.end, text: lines };
  return insertItem(text, array, array.items.length, item);
}

function replaceRedirect(
  config: MintlifyConfig,
  old: MintlifyRedirect,
  source: string,
  destination: string,
): TextEdit | undefined {
  const item = config.redirectsArray?.items[old.index];
  return item === undefined
    ? undefined
    : { start: item.start, end: item.end, text: redirectItem(config, source, destination) };
}

export function createMintlifyEdits(config: MintlifyConfig | undefined, paths: MintlifyPaths): Edits {
  const editable =
    config !== undefined && config.files.every((file) => file.problem === undefined) ? config : undefined;
  const stem = (path: string): string => withoutPageSuffix(paths.inDocs(path) ?? path);
  const entriesOf = (path: string): NavigationEntry[] =>
    (editable?.entries ?? []).filter(({ literal }) => {
      const named = withoutPageSuffix(literal.value.replaceAll(/^\/+|\/+$/g, ""));
      return named === stem(path) || paths.pageAt(named) === path;
    });
  const like = (literal: LiteralString, path: string): string =>
    literal.value.startsWith("/") ? `/${stem(path)}` : stem(path);

  return {
    followMove({ from, to }) {
      const edits: ConfigurationEdits = new Map();
      const oldRoute = paths.routeOf(from);
      const newRoute = paths.routeOf(to);
      const entries = entriesOf(from);
      for (const { file, literal } of entries) note(edits, file, replaceString(file.text, literal, like(literal, to)));
      if (editable === undefined || paths.inDocs(to) === undefined || !isPagePath(from))
        return { edits, navigationEntries: entries.length, redirect: null };
      for (const { file, literal } of editable.hrefs) {
        if (sitePath(literal.value) !== oldRoute) continue;
        note(edits, file, replaceString(file.text, literal, newRoute + (/[?#].*$/s.exec(literal.value)?.[0] ?? "")));
      }
      const hiding = editable.redirects.filter(
        ({ source }) => !isPattern(source.value) && sitePath(source.value) === newRoute,
      );
      for (const redirect of editable.redirects) {
        const { file, destination } = redirect;
        if (hiding.includes(redirect)) continue;
        if (!isPattern(destination.value) && sitePath(destination.value) === oldRoute) {
          note(
            edits,
            file,
            replaceString(file.text, destination, newRoute + (/[?#].*$/s.exec(destination.value)?.[0] ?? "")),
          );
        }
      }
      const known = editable.redirects.some(({ source }) => sitePath(source.value) === oldRoute);
      const wanted =
        oldRoute !== newRoute && !known && !/^_?snippets\//.test(stem(from)) && !/^_?snippets\//.test(stem(to));
      // A redirect away from the new address would hide the page: the new one takes its place.
      const [replaced, ...removed] = wanted ? hiding : [undefined, ...hiding];
      const edit = !wanted
        ? undefined
        : replaced === undefined
          ? addRedirect(editable, oldRoute, newRoute)
          : replaceRedirect(editable, replaced, oldRoute, newRoute);
      note(edits, editable.main, edit);
      for (const { file, index } of removed.filter((redirect) => redirect !== undefined)) {
        if (editable.redirectsArray !== undefined)
          note(edits, file, removeItem(file.text, editable.redirectsArray, index));
      }
      const redirect =
        edit === undefined ? null : { path: editable.main.path, source: oldRoute, destination: newRoute };
      return { edits, navigationEntries: entries.length, redirect };
    },

    addToNavigation(path, place) {
      if (editable === undefined)
        return { refused: "The navigation cannot be changed: docs.json is missing or is not valid JSON." };
      if (entriesOf(path).length > 0) return { refused: `\`${stem(path)}\` is in the navigation already.` };
      const edits: ConfigurationEdits = new Map();
      const item = JSON.stringify(stem(path));
      if (place.after !== undefined) {
        const wanted = withoutPageSuffix(place.after.replaceAll(/^\/+|\/+$/g, ""));
        const entry = editable.entries.find(
          ({ literal, array }) =>
            array !== undefined &&
            [wanted, stem(wanted)].includes(withoutPageSuffix(literal.value.replaceAll(/^\/+|\/+$/g, ""))),
        );
        if (entry?.array === undefined)
          return { refused: `The navigation has no page \`${place.after}\` to put this one after.` };
        note(
          edits,
          entry.file,
          insertItem(entry.file.text, entry.array, entry.array.items.indexOf(entry.literal) + 1, item),
        );
        return edits;
      }
      const names = [...new Set(editable.groups.map((group) => group.name))];
      const choice =
        names.length === 0 ? "It has no groups." : `Its groups: ${names.map((name) => `"${name}"`).join(", ")}.`;
      if (place.group === undefined)
        return { refused: `Say which group of the navigation the page goes to, or after which page. ${choice}` };
      const groups = editable.groups.filter(({ name }) => name.toLowerCase() === place.group?.trim().toLowerCase());
      const [group] = groups;
      if (group === undefined) return { refused: `The navigation has no group "${place.group}". ${choice}` };
      if (groups.length > 1)
        return {
          refused: `The navigation has ${groups.length} groups named "${place.group}"; name a page to put this one after instead.`,
        };
      note(edits, group.file, insertItem(group.file.text, group.pages, group.pages.items.length, item));
      return edits;
    },

    removeFromNavigation(path) {
      const edits: ConfigurationEdits = new Map();
      for (const { file, literal, array } of entriesOf(path)) {
        if (array !== undefined) note(edits, file, removeItem(file.text, array, array.items.indexOf(literal)));
      }
      return edits;
    },
  };
}
