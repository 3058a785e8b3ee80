import type { Refusal } from "../../refusal.ts";
import type { FrameworkName } from "./framework-name.ts";
import type { LinkFact, PageFacts } from "../page/page-facts.ts";
import type { MarkdownProfile, PageAnchors } from "../page/markdown-profile.ts";
import type { Problem } from "../problem.ts";
import type { TextEdit } from "../text-edit.ts";
import type { DocsFiles } from "../docs-files.ts";

/** Where a reference leads, the way the framework resolves it. Paths are from the root of the repository. */
export type Resolution =
  /** Another site, mail, or something whose existence the tree cannot tell. */
  | { type: "unknown" }
  /** A page of the tree. `redirected`: only through a redirect of the configuration. */
  | { type: "page"; path: string; redirected?: boolean }
  /** A file that is served or bundled as it is. */
  | { type: "file"; path: string }
  /** A page that the framework generates. */
  | { type: "generated" }
  /**
   * `redirectsTo`: a redirect of the configuration names this page for it, yet readers do not get there by the link.
   * `mayBeRewritten`: code of the site's own may lead it elsewhere, so it is a defect only where the right page is known.
   */
  | { type: "missing"; redirectsTo?: string; mayBeRewritten?: boolean };

export interface SitePage {
  path: string;
  route: string | null;
  /** Other pages include it; its own anchors and links belong to them. */
  partial: boolean;
  /** Pages that stand for one another in other collections (versions, languages, instances) are told apart by this. */
  collection: string;
}

/** Where a page goes in the navigation: at the end of a named group, or right after another page. */
export interface NavigationPlace {
  group?: string;
  after?: string;
}

/** What an edit of the configuration came to: edits per file. */
export type ConfigurationEdits = Map<string, TextEdit[]>;

/** One documentation tree at one moment, as its framework sees it. */
export type LinkUse = Pick<LinkFact, "role" | "syntax" | "element">;

export interface Site {
  pages: readonly SitePage[];
  facts: ReadonlyMap<string, PageFacts>;
  /** Where `path` (percent-decoded, without query and hash) leads from a page. */
  resolve(fromPath: string, path: string, link: LinkUse): Resolution;
  /**
   * How a link from one file to another is written in the style of `like` (absolute or relative, with or without
   * suffix); undefined where there is no such form. Without query and hash.
   */
  write(fromPath: string, toPath: string, like: string, link: LinkUse): string | undefined;
  /** How an anchor is compared: an id of the page or the decoded hash of a link, normalised. */
  normalizeAnchor(anchor: string): string;
  /** The page's ids as far as they can be told; `open` where there may be more. */
  anchors(path: string): PageAnchors;
  /** Problems of navigation, redirects and the configuration files themselves. */
  configurationProblems(): Problem[];
  /** Edits that make navigation and redirects follow a moved page. */
  followMove(move: {
    from: string;
    to: string;
    /** The site as it will be. */
    after: Site;
  }): {
    edits: ConfigurationEdits;
    navigationEntries: number;
    redirect: { path: string; source: string; destination: string } | null;
  };
  addToNavigation(path: string, place: NavigationPlace): ConfigurationEdits | Refusal;
  removeFromNavigation(path: string): ConfigurationEdits;
}

export interface Framework {
  name: FrameworkName;
  /** The folders that hold one of its marker files. */
  folders(paths: readonly string[]): string[];
  /** Looks into the marker file where its name alone is not enough. */
  confirm?(files: DocsFiles): Promise<boolean>;
  profile: MarkdownProfile;
  /** True for the framework's own navigation and redirect files, by their path inside the documentation. */
  isNavigationFile(pathInDocs: string): boolean;
  /**
   * The keys of a navigation file whose values may be changed, where it configures more than navigation and redirects.
   * Undefined for files that may be changed as a whole.
   */
  editableKeys?(pathInDocs: string): readonly string[] | undefined;
  open(files: DocsFiles): Promise<Site>;
}
