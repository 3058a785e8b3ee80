import { isLiteralNode, isScriptNode, type ScriptNode } from "../page/script-node.ts";
import { decodeText } from "../text-edit.ts";
import { scriptProgram } from "./script-literal.ts";

const TEXT_MAX = 200;

function nodes(value: unknown): ScriptNode[] {
  return Array.isArray(value) ? value.filter(isScriptNode) : [];
}

/** The parts of a node that are more than literal values, as they are written. */
function codeIn(node: unknown, source: string): string[] {
  if (!isScriptNode(node) || isLiteralNode(node)) return [];
  switch (node.type) {
    case "Program":
      return nodes(node["body"]).flatMap((statement) => codeIn(statement, source));
    case "ObjectExpression":
      return nodes(node["properties"]).flatMap((property) => codeIn(property, source));
    case "ArrayExpression":
      return nodes(node["elements"]).flatMap((element) => codeIn(element, source));
    case "Property":
      if (node["computed"] === true || node["kind"] !== "init" || node["method"] === true) break;
      return codeIn(node["value"], source);
    case "VariableDeclaration":
      return nodes(node["declarations"]).flatMap((declaration) => codeIn(declaration["init"], source));
    case "ExportDefaultDeclaration":
      return codeIn(node["declaration"], source);
    case "ExpressionStatement": {
      const assigned = node["expression"];
      if (!isScriptNode(assigned) || assigned.type !== "AssignmentExpression" || assigned["operator"] !== "=") break;
      const { left } = assigned;
      const isExport =
        isScriptNode(left) && source.slice(left.start, left.end).replaceAll(/\s/g, "") === "module.exports";
      return [...(isExport ? [] : codeIn(left, source)), ...codeIn(assigned["right"], source)];
    }
    default:
  }
  return [source.slice(node.start, node.end).replaceAll(/\s+/g, " ")];
}

function codeOf(path: string, content: Uint8Array): string[] {
  const text = decodeText(content);
  const program = text === undefined ? undefined : scriptProgram(text, /\.[cm]?ts$/.test(path));
  return text === undefined || program === undefined ? ["code that cannot be parsed"] : codeIn(program, text);
}

/**
 * Names what a configuration script would run and did not before. Lists and objects may gain, lose and change literal
 * values freely; anything else that is new counts.
 */
export function newScriptCode(path: string, before: Uint8Array | null, after: Uint8Array): string[] {
  const known = new Map<string, number>();
  for (const code of before === null ? [] : codeOf(path, before)) known.set(code, (known.get(code) ?? 0) + 1);
  return codeOf(path, after)
    .filter((code) => {
      const count = known.get(code) ?? 0;
      known.set(code, count - 1);
      return count <= 0;
    })
    .map((code) => (code.length <= TEXT_MAX ? code : `${code.slice(0, TEXT_MAX)}…`));
}
