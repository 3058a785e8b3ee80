import type { FileChange, Tree } from "../tree.ts";
import type { Problem } from "./problem.ts";

export type FrameworkName = "mintlify" | "docusaurus" | "plain";

export interface Page {
  path: string;
  /** The URL path a reader opens, e.g. `/guides/install`; null for a partial that has no page of its own. */
  route: string | null;
  /** From the front matter, else the first heading, else null. */
  title: string | null;
}

export interface PageMove {
  changes: FileChange[];
  linksRewritten: { path: string; count: number }[];
  navigationEntries: number;
  redirect: { path: string; source: string; destination: string } | null;
}

/** Where a page goes in the navigation: at the end of a named group, or right after another page. */
export interface NavigationPlace {
  group?: string;
  after?: string;
}

/** An expected refusal: said to the model or the user as it stands. */
export interface Refusal {
  refused: string;
}

/** A documentation tree, understood the way its framework resolves it. Reads the tree as it is at each call. */
export interface Docs {
  framework: FrameworkName;
  /** The folder of the documentation inside the repository, without slashes at its ends; `""` for the root. */
  docsPath: string;
  pages(): Promise<Page[]>;
  /** Every defect, sorted by path, line, column. */
  check(signal?: AbortSignal): Promise<Problem[]>;
  /** Moves a file; inbound and its own relative links, navigation entries and redirects follow it. */
  movePage(from: string, to: string): Promise<PageMove | Refusal>;
  /** The changes that put a page into the navigation, or why it cannot be placed. */
  addToNavigation(path: string, place: NavigationPlace): Promise<FileChange[] | Refusal>;
  /** The changes that take a page out of the navigation. */
  removeFromNavigation(path: string): Promise<FileChange[]>;
  /** Pages that link to this file. */
  inboundLinks(path: string): Promise<{ path: string; line: number }[]>;
  /** True for the framework's own navigation and redirect files, which may be published beside the pages. */
  isNavigationFile(path: string): boolean;
}

/** Looks at the tree and decides which framework it is and where the docs lie, unless `docsPath` says so. */
export declare function openDocs(tree: Tree, options?: { docsPath?: string }): Promise<Docs>;
