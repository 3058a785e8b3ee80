import type { MarkdownProfile } from "../../page/markdown-profile.ts";
import { starlightAnchors } from "./starlight-anchors.ts";

/** Astro takes front matter that blank lines stand before. Its first line changes places with them. */
function startWithFrontMatter(source: string): string {
  return source.replace(/^((?:[ \t]*\r?\n)+)---(?=[ \t]*\r?\n)/, "---$1");
}

export const starlightProfile: MarkdownProfile = {
  headingIds: true,
  htmlCommentsInMdx: false,
  directives: true,
  math: false,
  mdxCodeBlocks: false,
  frontMatterMustBePairs: true,
  rewrite: startWithFrontMatter,
  collectAnchors: starlightAnchors,
};
