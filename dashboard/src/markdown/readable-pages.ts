/** A node of a parsed page; only what is read here. */
export interface SourceNode {
  type: string;
  value?: string;
  /** Of a component; null for a fragment. */
  name?: string | null;
  attributes?: { type: string; name?: string; value?: unknown }[];
  url?: string;
  alt?: string;
  data?: object;
  children?: SourceNode[];
  position?: object;
}

/** Elements that authors write in MDX where Markdown has its own. */
const MARKDOWN_TYPES: Readonly<Record<string, string>> = {
  p: "paragraph",
  strong: "strong",
  b: "strong",
  em: "emphasis",
  i: "emphasis",
  blockquote: "blockquote",
};

/**
 * Turns what only a framework can run into what a person can read, in place: components into labelled boxes with their
 * children, expressions into code, front matter into fields. Imports, exports and comments go.
 */
export function readablePages(node: SourceNode): void {
  node.children = (node.children ?? []).flatMap(readNode);
  for (const child of node.children) if (child.children !== undefined) readablePages(child);
}

function readNode(node: SourceNode): SourceNode[] {
  switch (node.type) {
    case "yaml":
    case "toml":
      return [box(node, "front-matter", { name: node.type, fields: JSON.stringify(readFields(node.value ?? "")) })];
    case "mdxjsEsm":
      return [];
    case "mdxFlowExpression":
    case "mdxTextExpression": {
      const value = (node.value ?? "").trim();
      if (value === "" || /^\/\*[^]*\*\/$/.test(value)) return [];
      const code: SourceNode = { type: "inlineCode", value: `{${value}}`, position: node.position ?? {} };
      return [node.type === "mdxTextExpression" ? code : { type: "paragraph", children: [code] }];
    }
    case "mdxJsxFlowElement":
    case "mdxJsxTextElement":
      return readElement(node);
    default:
      return [node];
  }
}

function readElement(node: SourceNode): SourceNode[] {
  const name = node.name ?? "";
  const fields = readAttributes(node);
  const field = (wanted: string) => fields.find(([key]) => key === wanted)?.[1];
  const isInline = node.type === "mdxJsxTextElement";
  if (name === "br") return [{ type: "break" }];
  if (name === "hr") return [{ type: "thematicBreak" }];
  if (name === "img") return [{ type: "image", url: field("src") ?? "", alt: field("alt") ?? "" }];
  if (name === "a") return [{ type: "link", url: field("href") ?? "", children: node.children ?? [] }];
  const own = MARKDOWN_TYPES[name];
  if (own !== undefined) return [{ ...node, type: own }];
  // Any other element of HTML, and a fragment, says nothing by itself.
  if (!/^[A-Z]|\./.test(name)) return (node.children ?? []).flatMap(readNode);
  return [box(node, "component", { name, isInline, fields: JSON.stringify(fields) })];
}

/** A node that becomes an element of this name. */
function box(node: SourceNode, hName: string, hProperties: object): SourceNode {
  return {
    type: "box",
    data: { hName, hProperties },
    children: node.children ?? [],
    ...(node.position === undefined ? {} : { position: node.position }),
  };
}

function readAttributes(node: SourceNode): [string, string][] {
  return (node.attributes ?? []).flatMap(({ type, name, value }): [string, string][] => {
    if (type !== "mdxJsxAttribute" || name === undefined) return [];
    if (typeof value === "string") return [[name, value]];
    if (typeof value !== "object" || value === null || !("value" in value)) return [[name, ""]];
    return [[name, `{${String(value.value)}}`]];
  });
}

/** The fields of front matter as lines that begin with a name; what is indented below belongs to it. */
function readFields(text: string): [string, string][] {
  const fields: [string, string][] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^([\w.$-]+)\s*[:=]\s*(.*)$/.exec(line) ?? [];
    const last = fields.at(-1);
    if (name !== undefined) fields.push([name, (value ?? "").replace(/^(["'])(.*)\1$/, "$2")]);
    else if (last !== undefined && line.trim() !== "") last[1] = `${last[1]}\n${line}`.trim();
  }
  return fields;
}
