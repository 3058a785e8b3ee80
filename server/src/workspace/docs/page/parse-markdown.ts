import type { Nodes, Root } from "mdast";
import { fromMarkdown, type Extension } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFootnoteFromMarkdown } from "mdast-util-gfm-footnote";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { mdxFromMarkdown } from "mdast-util-mdx";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfmFootnote } from "micromark-extension-gfm-footnote";
import { gfmTable } from "micromark-extension-gfm-table";
import { mdxjs } from "micromark-extension-mdxjs";
import { htmlComment } from "./html-comment.ts";
import { maskSource } from "./masked-source.ts";
import type { MarkdownProfile, PageFormat } from "./markdown-profile.ts";

/** Where a link's, image's or definition's destination stands in the source, without `<` and `>` around it. */
export type Destinations = WeakMap<Nodes, { start: number; end: number }>;

export interface ParsedMarkdown {
  root: Root;
  destinations: Destinations;
  /** The source as it was parsed; of the same length as the file's text. */
  source: string;
}

/** The tree keeps only where a whole link stands; this notes the characters of its destination. */
function noteDestinations(source: string, destinations: Destinations): Extension {
  const note = (node: Nodes | undefined, token: { start: { offset: number }; end: { offset: number } }): void => {
    if (node === undefined) return;
    const literal = source[token.start.offset] === "<" && source[token.end.offset - 1] === ">";
    const inset = literal ? 1 : 0;
    destinations.set(node, { start: token.start.offset + inset, end: token.end.offset - inset });
  };
  return {
    exit: {
      resourceDestination(token) {
        const top = this.stack.at(-1);
        note(top?.type === "fragment" ? undefined : top, token);
      },
      definitionDestination(token) {
        const top = this.stack.at(-1);
        note(top?.type === "fragment" ? undefined : top, token);
      },
    },
  };
}

/**
 * Parses Markdown with tables, footnotes and front matter, and MDX where `format` says so. The rest of GFM (bare addresses,
 * task lists, strikethrough) holds no reference into the site, and leaving it out saves a third of the time.
 * @throws VFileMessage for MDX that does not parse, RangeError for nesting beyond the stack.
 */
export function parseMarkdown(text: string, format: PageFormat, profile: MarkdownProfile): ParsedMarkdown {
  const source = maskSource(profile.rewrite?.(text, format) ?? text, format, profile);
  const destinations: Destinations = new WeakMap();
  const mdx = format === "mdx";
  const root = fromMarkdown(source, {
    extensions: [
      frontmatter(["yaml", "toml"]),
      gfmTable(),
      gfmFootnote(),
      ...(mdx ? [mdxjs()] : []),
      ...(mdx && profile.htmlCommentsInMdx ? [htmlComment] : []),
    ],
    mdastExtensions: [
      frontmatterFromMarkdown(["yaml", "toml"]),
      gfmTableFromMarkdown(),
      gfmFootnoteFromMarkdown(),
      ...(mdx ? [mdxFromMarkdown()] : []),
      noteDestinations(source, destinations),
    ],
  });
  return { root, destinations, source };
}
