import type { Definition, Nodes, Root } from "mdast";
import type { MdxJsxAttribute } from "mdast-util-mdx-jsx";
import { textOf } from "./heading-text.ts";
import { htmlAttributes } from "./html-attributes.ts";
import { expressionString, type JsxElement } from "./jsx.ts";
import { isScriptNode } from "./script-node.ts";
import type { LinkFact } from "./page-facts.ts";
import type { Destinations } from "./parse-markdown.ts";
import { walk } from "./walk.ts";

export type FoundLink = Omit<LinkFact, "line" | "column" | "written">;

const ATTRIBUTE_ROLES: Readonly<Record<string, "link" | "image">> = {
  href: "link",
  to: "link",
  src: "image",
  poster: "image",
  img: "image",
  icon: "image",
};

/** `<use href="icons.svg#star">` and SVG's `<image href>` show what they name. */
function roleOf(element: string, attribute: string): "link" | "image" | undefined {
  return attribute === "href" && (element === "use" || element === "image") ? "image" : ATTRIBUTE_ROLES[attribute];
}

/** Of the attributes that may name an icon of a library as well as a file, only files count. */
function isFileAttribute(name: string, value: string): boolean {
  return (name !== "icon" && name !== "img") || /^(?:\/(?!\/)|\.\.?\/).*\.\w+$/.test(value);
}

function fromAttribute(source: string, element: JsxElement, attribute: MdxJsxAttribute): FoundLink | undefined {
  const name = element.name ?? "";
  if (name === "Snippet" && attribute.name === "file" && typeof attribute.value === "string") {
    return valueSpan(source, attribute, attribute.value, "snippet", name);
  }
  const role = roleOf(name, attribute.name);
  if (role === undefined || attribute.value === null || attribute.value === undefined) return undefined;
  if (typeof attribute.value === "string") {
    return isFileAttribute(attribute.name, attribute.value)
      ? valueSpan(source, attribute, attribute.value, role, name)
      : undefined;
  }
  const script = expressionString(attribute.value.data?.estree);
  if (script === undefined || !isFileAttribute(attribute.name, script.value)) return undefined;
  return {
    role: script.calledBy === "require" ? "import" : role,
    syntax: "script",
    url: script.value,
    text: null,
    element: name,
    start: script.start,
    end: script.end,
  };
}

function valueSpan(
  source: string,
  attribute: MdxJsxAttribute,
  value: string,
  role: LinkFact["role"],
  element: string,
): FoundLink | undefined {
  const start = attribute.position?.start.offset;
  const end = attribute.position?.end.offset;
  if (start === undefined || end === undefined) return undefined;
  const quote = /^[^=]*=\s*["']/.exec(source.slice(start, end));
  if (quote === null) return undefined;
  return { role, syntax: "attribute", url: value, text: null, element, start: start + quote[0].length, end: end - 1 };
}

function fromImports(statements: readonly unknown[]): FoundLink[] {
  return statements.flatMap((statement) => {
    if (!isScriptNode(statement) || statement.type !== "ImportDeclaration") return [];
    const source = statement["source"];
    if (!isScriptNode(source) || typeof source["value"] !== "string") return [];
    const place = { start: source.start + 1, end: source.end - 1 };
    return [
      { role: "import" as const, syntax: "script" as const, url: source["value"], text: null, element: null, ...place },
    ];
  });
}

/** In a quote or a list the parser takes the markers out of raw HTML, so the value is looked for where it should be. */
function fromHtml(html: string, source: string, offset: number): FoundLink[] {
  let from = offset;
  return htmlAttributes(html).flatMap((attribute) => {
    const role = roleOf(attribute.element, attribute.name);
    if (role === undefined || attribute.value === "" || !isFileAttribute(attribute.name, attribute.value)) return [];
    const expected = offset + attribute.start;
    const start = source.startsWith(attribute.value, expected) ? expected : source.indexOf(attribute.value, from);
    if (start === -1) return [];
    from = start + attribute.value.length;
    return [
      {
        role,
        syntax: "html" as const,
        url: attribute.value.replaceAll("&amp;", "&"),
        text: null,
        element: attribute.element,
        start,
        end: start + attribute.value.length,
      },
    ];
  });
}

/** Every reference on the page, in source order. Definitions count once, however often they are used. */
export function collectLinks(root: Root, source: string, destinations: Destinations): FoundLink[] {
  const found: FoundLink[] = [];
  const definitions: Definition[] = [];
  const imageReferences = new Set<string>();
  const linkReferences = new Set<string>();
  const markdown = (node: Nodes & { url: string }, role: "link" | "image", text: string | null): void => {
    const destination = destinations.get(node);
    if (destination === undefined) return;
    const syntax = node.type === "definition" ? "definition" : "markdown";
    found.push({ role, syntax, url: node.url, text, element: null, ...destination });
  };
  walk(root, (node) => {
    if (node.type === "link") markdown(node, "link", textOf(node));
    if (node.type === "image") markdown(node, "image", node.alt ?? null);
    if (node.type === "definition") definitions.push(node);
    if (node.type === "imageReference") imageReferences.add(node.identifier);
    if (node.type === "linkReference") linkReferences.add(node.identifier);
    if (node.type === "html") found.push(...fromHtml(node.value, source, node.position?.start.offset ?? 0));
    if (node.type === "mdxjsEsm") found.push(...fromImports(node.data?.estree?.body ?? []));
    if (node.type !== "mdxJsxFlowElement" && node.type !== "mdxJsxTextElement") return;
    for (const attribute of node.attributes) {
      if (attribute.type !== "mdxJsxAttribute") continue;
      const link = fromAttribute(source, node, attribute);
      if (link !== undefined) found.push({ ...link, text: textOf(node).trim() || null });
    }
  });
  for (const definition of definitions) {
    const { identifier } = definition;
    const image = imageReferences.has(identifier) && !linkReferences.has(identifier);
    markdown(definition, image ? "image" : "link", definition.label ?? null);
  }
  return found.sort((left, right) => left.start - right.start);
}
