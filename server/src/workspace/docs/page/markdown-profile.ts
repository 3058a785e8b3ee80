import type { Root } from "mdast";

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
  collectAnchors(root: Root): PageAnchors;
}
