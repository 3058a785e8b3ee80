/** A node of a JavaScript syntax tree, seen without its many shapes: named fields are looked up and tested. */
export interface ScriptNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export function isScriptNode(value: unknown): value is ScriptNode {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    typeof value.type === "string" &&
    "start" in value &&
    typeof value.start === "number" &&
    "end" in value &&
    typeof value.end === "number"
  );
}

/** True for values that nothing is executed for: strings, numbers, lists and objects of them, comments alone. */
export function isLiteralNode(node: unknown): boolean {
  if (!isScriptNode(node)) return false;
  const all = (value: unknown): boolean => Array.isArray(value) && value.every(isLiteralNode);
  switch (node.type) {
    case "Literal":
      return node["regex"] === undefined;
    case "TemplateLiteral":
      return Array.isArray(node["expressions"]) && node["expressions"].length === 0;
    case "UnaryExpression":
      return (node["operator"] === "-" || node["operator"] === "+") && isLiteralNode(node["argument"]);
    case "ArrayExpression":
      return all(node["elements"]);
    case "ObjectExpression":
      return all(node["properties"]);
    case "Property":
      return node["computed"] !== true && node["kind"] === "init" && isLiteralNode(node["value"]);
    default:
      return false;
  }
}
