import type { Root } from "mdast";
import { htmlAttributes } from "./page/html-attributes.ts";
import { isLiteralNode, isScriptNode, type ScriptNode } from "./page/script-node.ts";
import type { MarkdownProfile } from "./page/markdown-profile.ts";
import { parseMarkdown } from "./page/parse-markdown.ts";
import { decodeText } from "./text-edit.ts";
import { walk } from "./page/walk.ts";

/** Every framework's leniency at once: what any of them takes for text is not code. */
const LENIENT: MarkdownProfile = {
  headingIds: true,
  htmlCommentsInMdx: true,
  directives: true,
  math: false,
  mdxCodeBlocks: true,
  frontMatterMustBePairs: false,
  collectAnchors: () => ({ ids: [], open: false }),
};

/** The framework's own modules, and files beside the page or under the root of the docs. */
const FROM_THE_DOCS = /^(?:\.{0,2}\/|@theme\/|@docusaurus\/)/;
/** From a folder above, which may lie outside the docs, only what cannot run counts as theirs. */
const FROM_ABOVE = /^(?:\.\.?\/)*\.\.\//;
const NO_CODE = /\.(?:mdx?|png|jpe?g|gif|svg|webp|avif|ico)$/i;
const TEXT_MAX = 200;

function isOfTheDocs(imported: string): boolean {
  return FROM_THE_DOCS.test(imported) && (!FROM_ABOVE.test(imported) || NO_CODE.test(imported));
}

function isLiteralProgram(body: readonly unknown[] | undefined): boolean {
  return (body ?? []).every(
    (statement) =>
      isScriptNode(statement) && statement.type === "ExpressionStatement" && isLiteralNode(statement["expression"]),
  );
}

function shorten(code: string): string {
  const line = code.replaceAll(/\s+/g, " ").trim();
  return line.length <= TEXT_MAX ? line : `${line.slice(0, TEXT_MAX)}…`;
}

function ofStatement(statement: ScriptNode, source: string): string[] {
  const code = source.slice(statement.start, statement.end);
  const from = statement["source"];
  const imported = isScriptNode(from) && typeof from["value"] === "string" ? from["value"] : undefined;
  if (statement.type === "ImportDeclaration" && imported !== undefined && isOfTheDocs(imported)) return [];
  return [shorten(code)];
}

/** `onclick="…"` and `href="javascript:…"` run as well. */
function runsAsAttribute(name: string, value: string): boolean {
  return /^on[a-z]/i.test(name) || /^\s*javascript:/i.test(value);
}

function ofHtml(html: string): string[] {
  const scripts = /<script\b/i.test(html) ? [shorten(html)] : [];
  const attributes = htmlAttributes(html).filter(({ name, value }) => runsAsAttribute(name, value));
  return [...scripts, ...attributes.map(({ name, value }) => shorten(`${name}="${value}"`))];
}

function ofTree(root: Root, source: string): string[] {
  const found: string[] = [];
  walk(root, (node) => {
    if (node.type === "html") found.push(...ofHtml(node.value));
    if (node.type === "mdxjsEsm") {
      for (const statement of node.data?.estree?.body ?? []) {
        if (isScriptNode(statement)) found.push(...ofStatement(statement, source));
      }
    }
    if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression") {
      if (!isLiteralProgram(node.data?.estree?.body)) found.push(shorten(`{${node.value}}`));
    }
    if (node.type !== "mdxJsxFlowElement" && node.type !== "mdxJsxTextElement") return;
    if (node.name?.toLowerCase() === "script") found.push("<script>");
    for (const attribute of node.attributes) {
      if (attribute.type === "mdxJsxExpressionAttribute") found.push(shorten(`{${attribute.value}}`));
      else if (typeof attribute.value === "string") {
        if (runsAsAttribute(attribute.name, attribute.value))
          found.push(shorten(`${attribute.name}="${attribute.value}"`));
      } else if (attribute.value !== null && attribute.value !== undefined) {
        if (!isLiteralProgram(attribute.value.data?.estree?.body))
          found.push(shorten(`${attribute.name}={${attribute.value.value}}`));
      }
    }
  });
  return found;
}

/** What a page that is no valid MDX would run once it is mended: its import and export lines. */
function ofLines(text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\s.*$/gm)].map(([line]) => shorten(line));
}

function codeOf(content: Uint8Array): string[] {
  const text = decodeText(content)?.replace(/^\uFEFF/, "") ?? "";
  try {
    const { root, source } = parseMarkdown(text, "mdx", LENIENT);
    return ofTree(root, source);
  } catch {
    return ofLines(text);
  }
}

/**
 * Names what the page `after` would run and `before` would not: imports from outside the docs, exports, expressions that
 * are more than literal values, and scripts. One line each, shortened; empty when there is nothing new.
 */
export function newMdxCode(before: Uint8Array | null, after: Uint8Array): string[] {
  const known = new Map<string, number>();
  for (const code of before === null ? [] : codeOf(before)) known.set(code, (known.get(code) ?? 0) + 1);
  return codeOf(after).filter((code) => {
    const count = known.get(code) ?? 0;
    known.set(code, count - 1);
    return count <= 0;
  });
}
