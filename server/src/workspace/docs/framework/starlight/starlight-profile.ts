import type { MarkdownProfile } from "../../page/markdown-profile.ts";
import { starlightAnchors } from "./starlight-anchors.ts";

export const starlightProfile: MarkdownProfile = {
  headingIds: true,
  htmlCommentsInMdx: false,
  directives: true,
  math: false,
  mdxCodeBlocks: false,
  frontMatterMustBePairs: true,
  collectAnchors: starlightAnchors,
};
