import type { MarkdownProfile } from "../../page/markdown-profile.ts";
import { mintlifyAnchors } from "./mintlify-anchors.ts";

export const mintlifyProfile: MarkdownProfile = {
  headingIds: true,
  htmlCommentsInMdx: false,
  directives: false,
  math: true,
  mdxCodeBlocks: false,
  frontMatterMustBePairs: true,
  collectAnchors: mintlifyAnchors,
};
