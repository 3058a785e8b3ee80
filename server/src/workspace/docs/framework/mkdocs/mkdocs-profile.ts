import { snippetIncludes } from "../../page/include-references.ts";
import type { MarkdownProfile } from "../../page/markdown-profile.ts";
import { mkdocsAnchors } from "./mkdocs-anchors.ts";
import { mkdocsSource } from "./mkdocs-syntax.ts";

export const mkdocsProfile: MarkdownProfile = {
  headingIds: true,
  htmlCommentsInMdx: true,
  directives: false,
  math: false,
  mdxCodeBlocks: false,
  frontMatterMustBePairs: false,
  rewrite: mkdocsSource,
  collectIncludes: snippetIncludes,
  collectAnchors: mkdocsAnchors,
};
