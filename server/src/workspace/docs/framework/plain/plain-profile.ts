import type { MarkdownProfile } from "../../page/markdown-profile.ts";
import { githubAnchors } from "../heading-anchors.ts";

export const plainProfile: MarkdownProfile = {
  headingIds: false,
  htmlCommentsInMdx: false,
  directives: false,
  math: false,
  mdxCodeBlocks: false,
  frontMatterMustBePairs: false,
  collectAnchors: githubAnchors,
};
