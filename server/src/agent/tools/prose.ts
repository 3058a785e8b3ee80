import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mdxFromMarkdown } from "mdast-util-mdx";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";
import { mdxjs } from "micromark-extension-mdxjs";
import { SKIP, visit } from "unist-util-visit";
import type { Refusal } from "../../workspace/docs/docs.ts";
import { frontMatterProse, navigationProse, type ProseRange } from "./data-prose.ts";
import { explainFrontMatter } from "./front-matter.ts";

/** JSX and HTML elements whose text is code. */
const CODE_ELEMENTS = new Set(["code", "pre", "kbd", "samp", "script", "style", "CodeBlock"]);

/**
 * Where a docs file holds prose: running text, headings, image descriptions, values of front matter, labels of a
 * JSON navigation file. Not: code, addresses, JSX attributes and expressions, imports, HTML tags, keys.
 * @param text the file without its byte order mark
 */
export function proseRanges(path: string, text: string): ProseRange[] | Refusal {
  if (/\.json$/i.test(path)) return navigationProse(text);
  if (!/\.mdx?$/i.test(path)) return [];
  const tree = parse(path, text);
  if ("refused" in tree) {
    return { refused: `The page does not parse, so prose and code cannot be told apart: ${tree.refused}` };
  }
  const ranges: ProseRange[] = [];
  visit(tree, (node, _index, parent) => {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) return;
    const source = text.slice(start, end);
    if ("name" in node && node.name !== null && CODE_ELEMENTS.has(node.name)) return SKIP;
    if (node.type === "text") {
      if (!isAddressText(parent, source)) ranges.push({ start, end });
    } else if (node.type === "image" || node.type === "imageReference") {
      ranges.push(...bracketed(source, start, 2));
    } else if (node.type === "definition") {
      ranges.push(...bracketed(source, start, 1));
    } else if (node.type === "linkReference" && node.referenceType === "full") {
      const label = source.lastIndexOf("[");
      if (label >= 0) ranges.push(...bracketed(source.slice(label), start + label, 1));
    } else if (node.type === "html") {
      ranges.push(...htmlText(source, start));
    } else if (node.type === "yaml") {
      ranges.push(...frontMatterProse(text));
    }
    return undefined;
  });
  return ranges.sort((a, b) => a.start - b.start);
}

/**
 * What a replacement in prose would break, though every word of it was prose: a reference link that loses its
 * definition, front matter that is no longer YAML, MDX that is no longer MDX. Undefined when nothing.
 */
export function proseFault(path: string, before: string, after: string): string | undefined {
  if (!/\.mdx?$/i.test(path)) return undefined;
  const old = parse(path, before);
  const next = parse(path, after);
  if ("refused" in old) return undefined;
  if ("refused" in next) return `The page would no longer parse: ${next.refused}`;
  if (countReferences(next) !== countReferences(old)) return "A reference link would lose its definition.";
  return explainFrontMatter(after);
}

function countReferences(tree: Root): number {
  let count = 0;
  visit(tree, ["linkReference", "imageReference", "footnoteReference"], () => {
    count += 1;
  });
  return count;
}

function parse(path: string, text: string): Root | Refusal {
  const isMdx = /\.mdx$/i.test(path);
  try {
    return fromMarkdown(text, {
      extensions: isMdx ? [frontmatter(["yaml"]), gfm(), mdxjs()] : [frontmatter(["yaml"]), gfm()],
      mdastExtensions: isMdx
        ? [frontmatterFromMarkdown(["yaml"]), gfmFromMarkdown(), mdxFromMarkdown()]
        : [frontmatterFromMarkdown(["yaml"]), gfmFromMarkdown()],
    });
  } catch (error) {
    return { refused: (error instanceof Error ? error.message : String(error)).slice(0, 200) };
  }
}

/** The text of `<https://…>` or of a bare address is the address itself. */
function isAddressText(parent: Nodes | undefined, source: string): boolean {
  if (parent?.type !== "link") return false;
  const text = source.replace(/^mailto:/, "");
  return parent.url === text || parent.url === `http://${text}` || parent.url === `mailto:${text}`;
}

/** The inside of the brackets that open a node's source, e.g. the description in `![description](address)`. */
function bracketed(source: string, offset: number, opening: number): ProseRange[] {
  let depth = 0;
  for (let at = opening - 1; at < source.length; at += 1) {
    const character = source[at];
    if (character === "\\") at += 1;
    else if (character === "[") depth += 1;
    else if (character === "]") {
      depth -= 1;
      if (depth === 0) return at > opening ? [{ start: offset + opening, end: offset + at }] : [];
    }
  }
  return [];
}

const HTML_NOT_TEXT = /<!--[\s\S]*?(?:-->|$)|<(script|style|pre|code)\b[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*>?/gi;

function htmlText(source: string, offset: number): ProseRange[] {
  const ranges: ProseRange[] = [];
  let position = 0;
  for (const match of source.matchAll(HTML_NOT_TEXT)) {
    if (match.index > position) ranges.push({ start: offset + position, end: offset + match.index });
    position = match.index + match[0].length;
  }
  if (position < source.length) ranges.push({ start: offset + position, end: offset + source.length });
  return ranges;
}
