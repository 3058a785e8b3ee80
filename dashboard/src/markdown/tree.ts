/** What Markdown may become. Everything else in a text is shown as text. */
export const TAGS = [
  "p",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "ul",
  "ol",
  "li",
  "strong",
  "em",
  "del",
  "code",
  "pre",
  "blockquote",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "a",
  "img",
  "br",
  "hr",
  "input",
  "sup",
  "section",
  // Of MDX and of pages.
  "component",
  "front-matter",
] as const;

export type Tag = (typeof TAGS)[number];

export interface MarkdownElement {
  tag: Tag;
  /** Where it stands in the text, 1-based, both ends included. */
  lines: [number, number] | null;
  /** Only what is shown: no address here leads anywhere that could run something. */
  properties: {
    href?: string;
    alt?: string;
    source?: string;
    isChecked?: boolean;
    start?: number;
    align?: "left" | "center" | "right";
    /** A component's name and what it was given, or a page's fields. */
    name?: string;
    fields?: [string, string][];
    isInline?: boolean;
  };
  children: MarkdownNode[];
}

export type MarkdownNode = string | MarkdownElement;

export interface MarkdownTree {
  nodes: MarkdownNode[];
  /** Why MDX was read as plain Markdown; null when it was not. */
  problem: string | null;
  /** There was more than is shown. */
  isCut: boolean;
}
