import type { Root } from "mdast";
import type { MdxJsxAttribute, MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx-jsx";
import { walk } from "./walk.ts";
import { isScriptNode } from "./script-node.ts";

export type JsxElement = MdxJsxFlowElement | MdxJsxTextElement;

export function jsxElements(root: Root): JsxElement[] {
  const found: JsxElement[] = [];
  walk(root, (node) => {
    if (node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement") found.push(node);
  });
  return found;
}

export function jsxAttribute(element: JsxElement, name: string): MdxJsxAttribute | undefined {
  return element.attributes.find(
    (attribute): attribute is MdxJsxAttribute => attribute.type === "mdxJsxAttribute" && attribute.name === name,
  );
}

/** The attribute's value where it is a plain string. */
export function jsxString(element: JsxElement, name: string): string | undefined {
  const value = jsxAttribute(element, name)?.value;
  return typeof value === "string" ? value : undefined;
}

export interface ScriptString {
  value: string;
  /** Offsets of the characters between the quotes. */
  start: number;
  end: number;
  /** `require` or `useBaseUrl` when the string is what that function is called with. */
  calledBy: string | null;
}

function stringOf(node: unknown, calledBy: string | null): ScriptString | undefined {
  if (!isScriptNode(node)) return undefined;
  if (node.type === "Literal" && typeof node["value"] === "string") {
    return { value: node["value"], start: node.start + 1, end: node.end - 1, calledBy };
  }
  if (node.type === "TemplateLiteral" && Array.isArray(node["quasis"]) && node["quasis"].length === 1) {
    const quasi: unknown = node["quasis"][0];
    const value = isScriptNode(quasi) ? quasi["value"] : undefined;
    const cooked = typeof value === "object" && value !== null && "cooked" in value ? value.cooked : undefined;
    return typeof cooked === "string"
      ? { value: cooked, start: node.start + 1, end: node.end - 1, calledBy }
      : undefined;
  }
  if (node.type === "CallExpression" && isScriptNode(node["callee"]) && Array.isArray(node["arguments"])) {
    const name = node["callee"]["name"];
    return name === "require" || name === "useBaseUrl" ? stringOf(node["arguments"][0], name) : undefined;
  }
  if (node.type === "MemberExpression") return stringOf(node["object"], calledBy);
  return undefined;
}

/** The string that an expression is, such as `"/a"`, `` `/a` `` or `require("./a.png").default`. */
export function expressionString(program: { body: readonly unknown[] } | null | undefined): ScriptString | undefined {
  const statement = program?.body[0];
  return isScriptNode(statement) && statement.type === "ExpressionStatement"
    ? stringOf(statement["expression"], null)
    : undefined;
}
