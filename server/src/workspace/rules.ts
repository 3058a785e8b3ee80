import type { Refusal } from "./refusal.ts";
import { matchPaths } from "./path-glob.ts";
import type { PathIndex } from "./rules/path-index.ts";
import { pathShapeDefect } from "./rules/path-shape.ts";
import { isHidden, protectedAs } from "./rules/protected-names.ts";
import { decodeText, isLfsPointer } from "./text.ts";
import type { FileChange, FileMode } from "./tree.ts";

const PAGE = /\.mdx?$/i;
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|ico)$/i;
const BINARY_IMAGE = /\.(?:png|jpe?g|gif|webp|avif|ico)$/i;

const MODE_NAMES: Readonly<Record<FileMode, string>> = {
  "100644": "a plain file",
  "100755": "an executable file",
  "120000": "a symbolic link",
  "160000": "a submodule",
};

/** What may be changed and published, per project. */
export interface PublishRules {
  docsPath?: string;
  /** More path globs that the project allows, beside pages, navigation files and images. */
  allow: readonly string[];
  filesMax: number;
  bytesMax: number;
}

/** Images that are no text; an .svg is text. */
export const isBinaryImage = (path: string): boolean => BINARY_IMAGE.test(path);

export interface ChangeRules {
  /** Why this change may not be made, in sentences for the model; undefined when it may. */
  check(change: FileChange): Refusal | undefined;
}

/**
 * The publishing rules of one project on one tree: pages and images under the docs path, the framework's navigation
 * and redirect files, and what the project's globs add; never what `protectedAs` names, nor anything but plain files.
 */
export function createChangeRules(
  rules: PublishRules,
  tree: {
    docsPath: string;
    isNavigationFile: (path: string) => boolean;
    /** Navigation files that configure the site as well: whoever applies a change looks at what it changes there. */
    isConfiguration?: (path: string) => boolean;
    index: PathIndex;
    /** A content's git object id. */
    oidOf: (content: Uint8Array) => string;
  },
): ChangeRules {
  /** A glob that cannot be matched allows nothing. */
  function isAllowed(path: string): boolean {
    if (rules.allow.length === 0) return false;
    const matching = matchPaths([path], rules.allow, { dot: false });
    return "has" in matching && matching.has(path);
  }

  const { index } = tree;

  function allowedKinds(): string {
    const where = tree.docsPath === "" ? "" : ` under ${tree.docsPath}/`;
    const more = rules.allow.length === 0 ? "" : `, and files matching ${rules.allow.join(", ")}`;
    return `Allowed are .md and .mdx pages and images${where}, the framework's navigation files${more}.`;
  }

  function placeDefect(path: string): string | undefined {
    if (isAllowed(path) || tree.isNavigationFile(path)) return undefined;
    if (isHidden(path)) return `${path} is a hidden file or lies in a hidden folder. ${allowedKinds()}`;
    if (!PAGE.test(path) && !IMAGE.test(path)) return `${path} is neither a page nor an image. ${allowedKinds()}`;
    const isUnderDocs = tree.docsPath === "" || path.startsWith(`${tree.docsPath}/`);
    return isUnderDocs ? undefined : `${path} lies outside the documentation. ${allowedKinds()}`;
  }

  function treeDefect(path: string): string | undefined {
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
      const parent = path.slice(0, slash);
      const mode = index.mode(parent);
      if (mode !== undefined) return `${parent} is ${MODE_NAMES[mode]}, not a folder. Choose a path outside it.`;
    }
    if (index.isFolder(path)) return `${path} is a folder. Give the path of a file.`;
    if (index.base(path) !== undefined) return undefined;
    const other = index.colliding(path);
    if (other === undefined) return undefined;
    return `${path} and ${other} differ only in case or in the form of their letters, and some systems take them for one. Use ${other} or another name.`;
  }

  function modeDefect(change: FileChange): string | undefined {
    const present = index.base(change.path)?.mode;
    if (present !== undefined && present !== "100644") {
      return `${change.path} is ${MODE_NAMES[present]}. Only plain files may be changed or deleted; a person has to do that.`;
    }
    if (change.content === null || change.mode === "100644") return undefined;
    return `${change.path} would become ${MODE_NAMES[change.mode]}. Only plain files may be written.`;
  }

  function contentDefect({ path, content }: FileChange): string | undefined {
    if (content === null) return undefined;
    // A pointer that the tree holds already is a file being moved.
    if (isLfsPointer(content)) {
      return index.hasContent(tree.oidOf(content))
        ? undefined
        : `${path} would become a Git LFS pointer, which only Git LFS can make.`;
    }
    if (isBinaryImage(path)) return undefined;
    const decoded = decodeText(content);
    return "refused" in decoded ? `${path} cannot be written with this content. ${decoded.refused}` : undefined;
  }

  return {
    check(change) {
      const { path } = change;
      const shape = pathShapeDefect(path);
      if (shape !== undefined) return { refused: shape };
      const isLookedAt = tree.isConfiguration?.(path) === true && index.base(path)?.mode === "100644";
      const reason = isLookedAt ? undefined : protectedAs(path);
      if (reason !== undefined) {
        const rename = /^(?:agents?|claude|gemini|qwen|warp)\.md$/i.test(path.split("/").at(-1) ?? "")
          ? " A page of that name can be published with the extension .mdx."
          : "";
        return {
          refused: `${path} may not be changed here: it is, or looks like, ${reason}.${rename} ${allowedKinds()}`,
        };
      }
      const refused = placeDefect(path) ?? treeDefect(path) ?? modeDefect(change) ?? contentDefect(change);
      return refused === undefined ? undefined : { refused };
    },
  };
}
