import type { MarkdownProfile } from "../../page/markdown-profile.ts";
import { docusaurusAnchors } from "./docusaurus-anchors.ts";

export const docusaurusProfile: MarkdownProfile = {
  headingIds: true,
  htmlCommentsInMdx: true,
  directives: true,
  math: false,
  mdxCodeBlocks: true,
  frontMatterMustBePairs: true,
  collectAnchors: docusaurusAnchors,
};
