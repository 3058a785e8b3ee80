import { elementIncludes } from "../../page/include-references.ts";
import type { MarkdownProfile } from "../../page/markdown-profile.ts";
import { fumadocsAnchors } from "./fumadocs-anchors.ts";

export const fumadocsProfile: MarkdownProfile = {
  headingIds: false,
  htmlCommentsInMdx: false,
  directives: true,
  math: false,
  mdxCodeBlocks: false,
  frontMatterMustBePairs: true,
  collectIncludes: elementIncludes,
  collectAnchors: fumadocsAnchors,
};
