import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type { Literal, LiteralProperty } from "./literal.ts";

function toLiteral(node: Node): Literal {
  const place = { start: node.offset, end: node.offset + node.length };
  const children = node.children ?? [];
  switch (node.type) {
    case "object":
      return { kind: "object", complete: true, properties: children.flatMap(toProperty), ...place };
    case "array":
      return { kind: "array", complete: true, items: children.map(toLiteral), ...place };
    case "string":
      return { kind: "string", value: String(node.value), ...place };
    case "number":
    case "boolean":
    case "null":
      return { kind: "scalar", value: node.value as number | boolean | null, ...place };
    case "property":
      return { kind: "unknown", ...place };
  }
}

function toProperty(node: Node): LiteralProperty[] {
  const [key, value] = node.children ?? [];
  if (key === undefined || value === undefined) return [];
  return [{ key: String(key.value), value: toLiteral(value), start: node.offset, end: node.offset + node.length }];
}

/** Beyond this, whatever walks the values would run out of stack. */
const DEPTH_MAX = 500;

/** Where the brackets of a JSON text are nested too deeply to read it; undefined when they are not. */
export function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > DEPTH_MAX) return at;
    } else if (character === "}" || character === "]") depth -= 1;
  }
  return undefined;
}

export interface JsonError {
  offset: number;
  message: string;
}

/** Strict JSON: comments and trailing commas are errors, as they are for the frameworks that read these files. */
export function parseJson(text: string): { root: Literal | undefined; error: JsonError | undefined } {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) {
    return { root: undefined, error: { offset: tooDeep, message: `nested more than ${DEPTH_MAX} levels deep` } };
  }
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  // The byte order mark becomes a space, so that every offset stays the file's own.
  const errors: ParseError[] = [];
  const node = parseTree(bom === 1 ? ` ${text.slice(1)}` : text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
    allowEmptyContent: false,
  });
  const error = errors[0];
  return {
    root: node === undefined ? undefined : toLiteral(node),
    error:
      error === undefined ? undefined : { offset: error.offset, message: sentence(printParseErrorCode(error.error)) },
  };
}

/** `CommaExpected` -> `comma expected`. */
function sentence(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
