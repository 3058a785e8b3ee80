import { stripTypeScriptTypes } from "node:module";
import { parse } from "acorn";
import { isScriptNode, type ScriptNode } from "../page/script-node.ts";
import type { Literal, LiteralProperty, LiteralUnknown } from "./literal.ts";

/** Values read of one file: constants that name one another twice each would come to 2^100. */
const VALUES_MAX = 100_000;

interface Bindings {
  /** Constants and functions of the file, by name. */
  own: ReadonlyMap<string, ScriptNode>;
  imported: ReadonlyMap<string, { source: string; name: string }>;
  /** How many more values may be read. */
  left: { values: number };
}

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

function isFunction(node: ScriptNode): boolean {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

/** `a.b.c` of an identifier or a chain of members. */
function dottedName(node: unknown): string | undefined {
  if (!isScriptNode(node)) return undefined;
  if (node.type !== "MemberExpression") return node.type === "Identifier" ? nameOf(node) : undefined;
  const object = dottedName(node["object"]);
  const property = node["computed"] === true ? undefined : nameOf(node["property"]);
  return object === undefined || property === undefined ? undefined : `${object}.${property}`;
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
  const unknown: LiteralUnknown = { kind: "unknown", ...place };
  bindings.left.values -= 1;
  if (depth > DEPTH_MAX || bindings.left.values < 0) return unknown;
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
      const name = nameOf(node) ?? "";
      const bound = bindings.own.get(name);
      const imported = bindings.imported.get(name);
      if (bound !== undefined) return inner(bound);
      return imported === undefined ? unknown : { ...unknown, imported };
    }
    case "CallExpression": {
      const name = dottedName(node["callee"]);
      const values = nodes(node["arguments"]);
      if (name === "require.resolve") return inner(values[0]);
      const called = bindings.own.get(name ?? "");
      if (values.length === 0 && called !== undefined && isFunction(called)) {
        const value = nodes(called["params"]).length === 0 ? returned(called) : undefined;
        return value === undefined ? unknown : inner(value);
      }
      return { ...unknown, call: { name, arguments: values.map(inner) } };
    }
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression": {
      const value = depth === 0 || nodes(node["params"]).length === 0 ? returned(node) : undefined;
      if (value === undefined) return unknown;
      return depth === 0 ? inner(value) : { ...unknown, returns: inner(value) };
    }
    case "AwaitExpression":
      return unknown;
    default:
      return scalar(node) ?? unknown;
  }
}

interface ScriptExports {
  bindings: Bindings & { own: Map<string, ScriptNode>; imported: Map<string, { source: string; name: string }> };
  byDefault: ScriptNode | undefined;
  named: Map<string, ScriptNode>;
}

/** Notes the constants and functions that a statement declares. */
function declare(statement: ScriptNode, names: Map<string, ScriptNode>): void {
  if (statement.type === "VariableDeclaration" && statement["kind"] === "const") {
    for (const declarator of nodes(statement["declarations"])) {
      const name = nameOf(declarator["id"]);
      if (name !== undefined && isScriptNode(declarator["init"])) names.set(name, declarator["init"]);
    }
  } else if (statement.type === "FunctionDeclaration") {
    const name = nameOf(statement["id"]);
    if (name !== undefined) names.set(name, statement);
  }
}

function noteImports(statement: ScriptNode, imported: ScriptExports["bindings"]["imported"]): void {
  const from = statement["source"];
  const source = isScriptNode(from) && typeof from["value"] === "string" ? from["value"] : undefined;
  for (const specifier of source === undefined ? [] : nodes(statement["specifiers"])) {
    const local = nameOf(specifier["local"]);
    const name = specifier.type === "ImportDefaultSpecifier" ? "default" : nameOf(specifier["imported"]);
    if (local !== undefined && name !== undefined && source !== undefined) imported.set(local, { source, name });
  }
}

function exportsOf(program: ScriptNode): ScriptExports {
  const bindings: ScriptExports["bindings"] = {
    own: new Map(),
    imported: new Map(),
    left: { values: VALUES_MAX },
  };
  const named = new Map<string, ScriptNode>();
  let byDefault: ScriptNode | undefined;
  for (const statement of nodes(program["body"])) {
    const declaration = statement["declaration"];
    if (statement.type === "ImportDeclaration") noteImports(statement, bindings.imported);
    else if (statement.type === "ExportDefaultDeclaration" && isScriptNode(declaration)) byDefault = declaration;
    else if (statement.type === "ExportNamedDeclaration" && isScriptNode(declaration)) {
      declare(declaration, bindings.own);
      declare(declaration, named);
    } else if (statement.type === "ExpressionStatement" && isScriptNode(statement["expression"])) {
      const { left, right } = statement["expression"];
      if (dottedName(left) === "module.exports" && isScriptNode(right)) byDefault = right;
    } else declare(statement, bindings.own);
  }
  const bound = byDefault?.type === "Identifier" ? bindings.own.get(nameOf(byDefault) ?? "") : undefined;
  return { bindings, byDefault: bound ?? byDefault, named };
}

/**
 * What a JavaScript or TypeScript file exports (`export default` or `module.exports`), read without running it.
 * Undefined when it does not parse or exports nothing.
 */
export function parseScript(text: string, typescript: boolean): Literal | undefined {
  const program = scriptProgram(text, typescript);
  if (program === undefined) return undefined;
  const { bindings, byDefault } = exportsOf(program);
  return byDefault === undefined ? undefined : evaluate(byDefault, bindings);
}

/** What a file exports by name, read without running it. Empty when it does not parse. */
export function parseNamedExports(text: string, typescript: boolean): Map<string, Literal> {
  const program = scriptProgram(text, typescript);
  if (program === undefined) return new Map();
  const { bindings, named } = exportsOf(program);
  return new Map([...named].map(([name, node]) => [name, evaluate(node, bindings)]));
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
