import type { Nodes, Root } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import type { FrameworkName } from "../../workspace/docs/framework/framework-name.ts";
import type { Refusal } from "../../workspace/refusal.ts";
import { profiles } from "../../workspace/docs/framework/profiles.ts";
import { parseMarkdown } from "../../workspace/docs/page/parse-markdown.ts";
import { frontMatterProse, navigationProse, type ProseRange } from "./data-prose.ts";
import { explainFrontMatter } from "./front-matter.ts";
import { spliceMatches, type TextMatch } from "./text-matches.ts";

/** JSX and HTML elements whose text is code. */
const CODE_ELEMENTS = new Set(["code", "pre", "kbd", "samp", "script", "style", "CodeBlock"]);

/**
 * Where a docs file holds prose: running text, headings, image descriptions, values of front matter, labels of a
 * JSON navigation file. Not: code, addresses, JSX attributes and expressions, imports, HTML tags, keys.
 * @param text the file without its byte order mark
 */
export function proseRanges(path: string, text: string, framework: FrameworkName): ProseRange[] | Refusal {
  if (/\.json$/i.test(path)) return navigationProse(text);
  if (!/\.mdx?$/i.test(path)) return [];
  const tree = parse(path, text, framework);
  return "refused" in tree
    ? { refused: `The page does not parse, so prose and code cannot be told apart: ${tree.refused}` }
    : treeProse(tree, text);
}

function treeProse(tree: Root, text: string): ProseRange[] {
  const ranges: ProseRange[] = [];
  visit(tree, (node, _index, parent) => {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) return;
    const source = text.slice(start, end);
    if ("name" in node && node.name !== null && CODE_ELEMENTS.has(node.name)) return SKIP;
    if (node.type === "text") {
      if (!isAddressText(parent, source)) ranges.push(...around(source, start, BARE_ADDRESS));
    } else if (node.type === "image" || node.type === "imageReference") {
      ranges.push(...bracketed(source, start, 2));
    } else if (node.type === "definition") {
      ranges.push(...bracketed(source, start, 1));
    } else if (node.type === "linkReference" && node.referenceType === "full") {
      const label = source.lastIndexOf("[");
      if (label >= 0) ranges.push(...bracketed(source.slice(label), start + label, 1));
    } else if (node.type === "html") {
      ranges.push(...around(source, start, HTML_NOT_TEXT));
    } else if (node.type === "yaml") {
      ranges.push(...frontMatterProse(text));
    }
    return undefined;
  });
  return ranges.sort((a, b) => a.start - b.start);
}

export interface ProsePage {
  path: string;
  text: string;
  framework: FrameworkName;
  /** All matches in the text. */
  matches: readonly TextMatch[];
}

/** Words that cannot be taken for markup, wherever they stand in running text. */
const PLAIN_WORDS = /^[\p{L}\p{N}]+(?:[ '’-][\p{L}\p{N}]+)*$/u;

/**
 * The page with those matches replaced that lie in its prose. Refused where that would break the page: a reference
 * link that loses its definition, front matter that is no longer YAML, MDX that is no longer MDX.
 */
export function editProse({
  path,
  text,
  framework,
  matches,
}: ProsePage): { text: string; matches: TextMatch[] } | Refusal {
  const ranges = proseRanges(path, text, framework);
  if ("refused" in ranges) return ranges;
  const inProse = matches.filter((match) => ranges.some(({ start, end }) => start <= match.start && match.end <= end));
  const after = spliceMatches(text, inProse);
  const fault = after === text ? undefined : proseFault({ path, text, framework, matches: inProse }, after);
  return fault === undefined ? { text: after, matches: inProse } : { refused: fault };
}

function proseFault({ path, text, framework, matches }: ProsePage, after: string): string | undefined {
  if (!/\.mdx?$/i.test(path)) return undefined;
  const isPlain = matches.every(
    ({ start, end, replacement }) => PLAIN_WORDS.test(replacement) && PLAIN_WORDS.test(text.slice(start, end)),
  );
  // Parsing takes most of the time; words for words on a page without references cannot break its Markdown.
  if (isPlain && !text.includes("]:")) return explainFrontMatter(after);
  const old = parse(path, text, framework);
  const next = parse(path, after, framework);
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

function parse(path: string, text: string, framework: FrameworkName): Root | Refusal {
  try {
    return parseMarkdown(text, /\.mdx$/i.test(path) ? "mdx" : "md", profiles[framework]).root;
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

/** Addresses that stand bare in running text, whether the framework makes links of them or not. */
const BARE_ADDRESS = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)[^\s<>]+|[\w.+-]+@[\w-]+\.[\w.-]+/gi;

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

/** What lies around the matches of a pattern. */
function around(source: string, offset: number, pattern: RegExp): ProseRange[] {
  const ranges: ProseRange[] = [];
  let position = 0;
  for (const match of source.matchAll(pattern)) {
    if (match.index > position) ranges.push({ start: offset + position, end: offset + match.index });
    position = match.index + match[0].length;
  }
  if (position < source.length) ranges.push({ start: offset + position, end: offset + source.length });
  return ranges;
}
