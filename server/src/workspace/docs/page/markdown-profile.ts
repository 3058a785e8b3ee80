import type { Root } from "mdast";
import type { IncludeReference } from "./include-references.ts";

export type PageFormat = "md" | "mdx";

export interface PageAnchors {
  ids: string[];
  /** Components on the page may generate ids beyond these. */
  open: boolean;
}

/** How a framework's own Markdown differs from CommonMark with GFM, front matter and, in MDX, MDX. */
export interface MarkdownProfile {
  /** `## Heading {#id}` is text in MDX, not an expression. */
  headingIds: boolean;
  /** `<!-- comments -->` are allowed in MDX. */
  htmlCommentsInMdx: boolean;
  /** `:::note{.class}`: braces of directives are not expressions in MDX. */
  directives: boolean;
  /** `$…$` and `$$…$$`: braces in formulas are not expressions in MDX. */
  math: boolean;
  /** ```` ```mdx-code-block ```` fences are unwrapped. */
  mdxCodeBlocks: boolean;
  /** Front matter that is not `key: value` pairs stops the build. */
  frontMatterMustBePairs: boolean;
  /**
   * The source as CommonMark must see it, where the framework's Markdown is another: of equal length, and every character
   * that belongs to a reference at its place.
   */
  rewrite?(source: string, format: PageFormat): string;
  /** References to files that the page includes, in a syntax of the framework's own. */
  collectIncludes?(source: string): IncludeReference[];
  collectAnchors(root: Root, source: string): PageAnchors;
}
