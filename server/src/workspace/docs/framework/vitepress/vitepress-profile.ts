import { vitepressIncludes } from "../../page/include-references.ts";
import type { MarkdownProfile } from "../../page/markdown-profile.ts";
import { vitepressAnchors } from "./vitepress-anchors.ts";

/** Links that are to be opened as they are, `[a](/a.html){target="_self"}`: VitePress looks none of them up. */
const OPENED_AS_THEY_ARE = /\](\()(?=[^()\s]*\)\{[^{}\n]*\b(?:target|download)\b)/g;

export const vitepressProfile: MarkdownProfile = {
  headingIds: true,
  htmlCommentsInMdx: true,
  directives: false,
  math: false,
  mdxCodeBlocks: false,
  frontMatterMustBePairs: false,
  rewrite: (source) => source.replaceAll(OPENED_AS_THEY_ARE, "] "),
  collectIncludes: vitepressIncludes,
  collectAnchors: vitepressAnchors,
};
