import type { ConfigFile } from "../../config/config-file.ts";
import type { LiteralString } from "../../config/literal.ts";
import type { TextEdit } from "../../text-edit.ts";

/** A page as the navigation may name it; also one that is not written yet. */
export interface NavigationTarget {
  path: string;
  route: string;
}

export interface PlacedEdit {
  file: ConfigFile;
  edit: TextEdit | undefined;
}

/** A place in the navigation that stands literally in a file. */
export interface NavigationEntry {
  file: ConfigFile;
  literal: LiteralString;
  /** The page it leads to; undefined where it leads nowhere or elsewhere. */
  page: string | undefined;
  /** One sentence, where it names something that is not there. */
  missing?: string;
  /** What should be written instead, where exactly one page can be meant. */
  suggestion?: string;
  /** The edits that make it lead to another page. */
  rename(to: NavigationTarget): PlacedEdit[];
  /** Undefined where it cannot go without more than the page going. */
  remove?(): PlacedEdit;
  /** Undefined where no entry can stand after it. */
  insertAfter?(page: NavigationTarget): PlacedEdit;
}

/** A named list of entries. */
export interface NavigationGroup {
  label: string;
  append(page: NavigationTarget): PlacedEdit;
}

export interface Navigation {
  entries: readonly NavigationEntry[];
  groups: readonly NavigationGroup[];
  /** True where the page appears without being named: the navigation is made of the folders. */
  isGenerated(path: string): boolean;
  /** What is wrong with the files themselves. */
  files: readonly ConfigFile[];
  /** For messages: `the sidebar`, `the navigation`. */
  name: string;
  /** Why nothing can be added; undefined where something can. */
  refusal?: string;
}
