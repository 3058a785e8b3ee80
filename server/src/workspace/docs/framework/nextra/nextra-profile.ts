import type { MarkdownProfile } from "../../page/markdown-profile.ts";
import { nextraAnchors } from "./nextra-anchors.ts";

export const nextraProfile: MarkdownProfile = {
  headingIds: false,
  htmlCommentsInMdx: false,
  directives: false,
  math: false,
  mdxCodeBlocks: false,
  frontMatterMustBePairs: true,
  collectAnchors: nextraAnchors,
};
