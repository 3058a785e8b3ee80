import type { ConfigFile } from "../../config/config-file.ts";
import { insertItem, removeItem, replaceString } from "../../config/literal-edits.ts";
import type { Literal, LiteralArray, LiteralString } from "../../config/literal.ts";
import type { NavigationEntry, NavigationGroup, NavigationTarget } from "./navigation.ts";
import { quoteOf } from "./redirects.ts";

/** A list of entries in JSON or JavaScript, and how it writes a page. */
export interface LiteralList {
  file: ConfigFile;
  array: LiteralArray;
  /** The item that stands for a page, in the given quotes; `like` is one that stands for another page. */
  write(page: NavigationTarget, quote: string, like: Literal | undefined): string;
}

/** An entry whose string can be replaced and whose item can go from its list. */
export function listEntry(
  list: LiteralList,
  parts: {
    literal: LiteralString;
    item: Literal;
    page: string | undefined;
    missing?: string | undefined;
    suggestion?: string | undefined;
    /** The string that names another page; undefined where there is none. */
    nameOf(page: NavigationTarget): string | undefined;
    /** Other entries hang on the item, so that it cannot go. */
    isFixed?: boolean;
  },
): NavigationEntry {
  const { file, array, write } = list;
  const { literal, item, page, missing, suggestion, nameOf, isFixed = false } = parts;
  const index = array.items.indexOf(item);
  return {
    file,
    literal,
    page,
    ...(missing === undefined ? {} : { missing }),
    ...(suggestion === undefined ? {} : { suggestion }),
    rename(to) {
      const name = nameOf(to);
      return name === undefined || name === literal.value
        ? []
        : [{ file, edit: replaceString(file.text, literal, name) }];
    },
    ...(isFixed || index === -1 ? {} : { remove: () => ({ file, edit: removeItem(file.text, array, index) }) }),
    ...(index === -1
      ? {}
      : {
          insertAfter: (to: NavigationTarget) => ({
            file,
            edit: insertItem(file.text, array, index + 1, write(to, quoteOf(file.text, literal), item)),
          }),
        }),
  };
}

export function listGroup(list: LiteralList, label: string): NavigationGroup {
  const { file, array, write } = list;
  return {
    label,
    append(page) {
      const like = array.items.findLast((item) => item.kind === "string" || item.kind === "object");
      const item = write(page, quoteOf(file.text, like), like);
      return { file, edit: insertItem(file.text, array, array.items.length, item) };
    },
  };
}
