import Markdown from "react-markdown";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import { readablePages, type SourceNode } from "./readable-pages.ts";
import { TAGS, type MarkdownElement, type MarkdownNode, type MarkdownTree, type Tag } from "./tree.ts";

/** Deeper nesting is shown without its structure. */
const DEPTH_MAX = 40;
/** As many elements as a browser draws at once. */
const ELEMENTS_MAX = 8_000;
const SAFE_PROTOCOLS = ["http:", "https:", "mailto:"];

interface HtmlNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
  position?: { start: { line: number }; end: { line: number } };
}

/** Reads Markdown or MDX. MDX that cannot be parsed is read as Markdown, and the answer says so. */
export function readMarkdown(text: string, isMdx: boolean): MarkdownTree {
  if (!isMdx) return { ...toTree(parse(text, false)), problem: null };
  try {
    return { ...toTree(parse(text, true)), problem: null };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...toTree(parse(text, false)), problem };
  }
}

function parse(text: string, isMdx: boolean): HtmlNode {
  let captured: HtmlNode = { type: "root", children: [] };
  // The component is used for its parser; the elements are made where the page is.
  Markdown({
    children: text,
    remarkPlugins: [
      remarkGfm,
      remarkFrontmatter,
      ...(isMdx ? [remarkMdx] : []),
      () => (tree: unknown) => readablePages(tree as SourceNode),
    ],
    rehypePlugins: [
      () => (tree: HtmlNode) => {
        captured = { ...tree };
        tree.children = [];
      },
    ],
  });
  return captured;
}

function toTree(root: HtmlNode): { nodes: MarkdownNode[]; isCut: boolean } {
  let elements = 0;

  function convert(node: HtmlNode, depth: number): MarkdownNode[] {
    if (elements > ELEMENTS_MAX) return [];
    if (node.type === "text") return [node.value ?? ""];
    // A comment is for the author; other HTML is shown as it was written.
    if (node.type === "raw") return /^\s*<!--[^]*-->\s*$/.test(node.value ?? "") ? [] : [node.value ?? ""];
    const children = () => (node.children ?? []).flatMap((child) => convert(child, depth + 1));
    const tag = TAGS.find((name) => name === node.tagName);
    if (tag === undefined || depth > DEPTH_MAX) return children();
    elements++;
    const lines: MarkdownElement["lines"] = node.position ? [node.position.start.line, node.position.end.line] : null;
    return [{ tag, lines, properties: PROPERTIES[tag]?.(node.properties ?? {}) ?? {}, children: children() }];
  }

  const nodes = (root.children ?? []).flatMap((child) => convert(child, 0));
  return { nodes, isCut: elements > ELEMENTS_MAX };
}

type Properties = MarkdownElement["properties"];

const PROPERTIES: Partial<Record<Tag, (given: Record<string, unknown>) => Properties>> = {
  a: ({ href }) => ({ source: toText(href), ...(isSafe(toText(href)) ? { href: toText(href) } : {}) }),
  img: ({ alt, src }) => ({ alt: toText(alt), source: toText(src) }),
  input: ({ checked }) => ({ isChecked: checked === true }),
  ol: ({ start }) => (typeof start === "number" ? { start } : {}),
  th: readAlign,
  td: readAlign,
  component: readBox,
  "front-matter": readBox,
};

function readAlign({ align }: Record<string, unknown>): Properties {
  return align === "left" || align === "center" || align === "right" ? { align } : {};
}

function readBox({ name, isInline, fields }: Record<string, unknown>): Properties {
  return { name: toText(name), isInline: isInline === true, fields: JSON.parse(toText(fields)) as [string, string][] };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Only addresses that name their protocol: a relative one would lead into the dashboard. */
function isSafe(href: string): boolean {
  return URL.canParse(href) && SAFE_PROTOCOLS.includes(new URL(href).protocol);
}
