import { stripTypeScriptTypes } from "node:module";
import { parse } from "acorn";
import { isScriptNode, type ScriptNode } from "../page/script-node.ts";
import type { Literal, LiteralProperty } from "./literal.ts";

type Bindings = ReadonlyMap<string, ScriptNode>;

/** Depth of identifiers and arrays followed; a binding that names itself ends here. */
const DEPTH_MAX = 100;

function nodes(value: unknown): ScriptNode[] {
  return Array.isArray(value) ? value.filter(isScriptNode) : [];
}

function nameOf(node: unknown): string | undefined {
  if (!isScriptNode(node)) return undefined;
  if (node.type === "Identifier" && typeof node["name"] === "string") return node["name"];
  return node.type === "Literal" ? String(node["value"]) : undefined;
}

/** What a function that only returns something returns. */
function returned(node: ScriptNode): ScriptNode | undefined {
  const body = node["body"];
  if (!isScriptNode(body)) return undefined;
  if (body.type !== "BlockStatement") return body;
  const last = nodes(body["body"]).at(-1);
  const argument = last?.type === "ReturnStatement" ? last["argument"] : undefined;
  return isScriptNode(argument) ? argument : undefined;
}

function scalar(node: ScriptNode): Literal | undefined {
  const place = { start: node.start, end: node.end };
  const value = node["value"];
  if (node.type === "Literal") {
    if (typeof value === "string") return { kind: "string", value, ...place };
    if (typeof value === "number" || typeof value === "boolean" || value === null)
      return { kind: "scalar", value, ...place };
  }
  if (node.type === "TemplateLiteral" && nodes(node["expressions"]).length === 0) {
    const cooked = nodes(node["quasis"])[0]?.["value"];
    if (typeof cooked === "object" && cooked !== null && "cooked" in cooked && typeof cooked.cooked === "string") {
      return { kind: "string", value: cooked.cooked, ...place };
    }
  }
  return undefined;
}

function evaluate(node: ScriptNode, bindings: Bindings, depth = 0): Literal {
  const place = { start: node.start, end: node.end };
  const unknown: Literal = { kind: "unknown", ...place };
  if (depth > DEPTH_MAX) return unknown;
  const inner = (value: unknown): Literal => (isScriptNode(value) ? evaluate(value, bindings, depth + 1) : unknown);
  switch (node.type) {
    case "ObjectExpression": {
      const properties = nodes(node["properties"]);
      const plain = properties.filter((entry) => entry.type === "Property" && entry["computed"] !== true);
      return {
        kind: "object",
        complete: plain.length === properties.length,
        properties: plain.map((entry): LiteralProperty => ({
          key: nameOf(entry["key"]) ?? "",
          value: inner(entry["value"]),
          start: entry.start,
          end: entry.end,
        })),
        ...place,
      };
    }
    case "ArrayExpression": {
      const elements = nodes(node["elements"]);
      const plain = elements.filter((element) => element.type !== "SpreadElement");
      return { kind: "array", complete: plain.length === elements.length, items: plain.map(inner), ...place };
    }
    case "Identifier": {
      const bound = bindings.get(nameOf(node) ?? "");
      return bound === undefined ? unknown : inner(bound);
    }
    case "CallExpression": {
      const callee = node["callee"];
      const resolve =
        isScriptNode(callee) &&
        callee.type === "MemberExpression" &&
        nameOf(callee["object"]) === "require" &&
        nameOf(callee["property"]) === "resolve";
      return resolve ? inner(nodes(node["arguments"])[0]) : unknown;
    }
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression": {
      const value = depth === 0 ? returned(node) : undefined;
      return value === undefined ? unknown : inner(value);
    }
    case "AwaitExpression":
      return unknown;
    default:
      return scalar(node) ?? unknown;
  }
}

function exported(program: ScriptNode, bindings: Map<string, ScriptNode>): ScriptNode | undefined {
  let found: ScriptNode | undefined;
  for (const statement of nodes(program["body"])) {
    const declaration = statement["declaration"];
    if (statement.type === "VariableDeclaration" && statement["kind"] === "const") {
      for (const declarator of nodes(statement["declarations"])) {
        const name = nameOf(declarator["id"]);
        if (name !== undefined && isScriptNode(declarator["init"])) bindings.set(name, declarator["init"]);
      }
    } else if (statement.type === "FunctionDeclaration") {
      const name = nameOf(statement["id"]);
      if (name !== undefined) bindings.set(name, statement);
    } else if (statement.type === "ExportDefaultDeclaration" && isScriptNode(declaration)) {
      found = declaration;
    } else if (statement.type === "ExpressionStatement" && isScriptNode(statement["expression"])) {
      const { left, right } = statement["expression"];
      const target = isScriptNode(left) && left.type === "MemberExpression" ? left : undefined;
      if (
        nameOf(target?.["object"]) === "module" &&
        nameOf(target?.["property"]) === "exports" &&
        isScriptNode(right)
      ) {
        found = right;
      }
    }
  }
  return found?.type === "Identifier" ? (bindings.get(nameOf(found) ?? "") ?? found) : found;
}

/**
 * What a JavaScript or TypeScript file exports (`export default` or `module.exports`), read without running it.
 * Undefined when it does not parse or exports nothing.
 */
export function parseScript(text: string, typescript: boolean): Literal | undefined {
  const program = scriptProgram(text, typescript);
  if (program === undefined) return undefined;
  const bindings = new Map<string, ScriptNode>();
  const value = exported(program, bindings);
  return value === undefined ? undefined : evaluate(value, bindings);
}

/** The syntax tree of a JavaScript or TypeScript file, offsets as in the file; undefined when it does not parse. */
export function scriptProgram(text: string, typescript: boolean): ScriptNode | undefined {
  try {
    // Types become white space, so every offset stays the file's own.
    const source = typescript ? stripTypeScriptTypes(text, { mode: "strip" }) : text;
    const program: unknown = parse(source, {
      ecmaVersion: "latest",
      sourceType: "module",
      allowReturnOutsideFunction: true,
      allowHashBang: true,
    });
    return isScriptNode(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
