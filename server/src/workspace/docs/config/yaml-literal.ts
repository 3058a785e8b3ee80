import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Node } from "yaml";
import type { Literal, LiteralProperty } from "./literal.ts";
import { tooDeepAt } from "./json-literal.ts";

export interface YamlError {
  offset: number;
  message: string;
}

/** Aliases are followed no deeper than this. */
const DEPTH_MAX = 100;
const CHARACTERS_MAX = 1024 * 1024;

function toLiteral(node: unknown, depth: number): Literal {
  const [start, end] = isNode(node) ? (node.range ?? [0, 0]) : [0, 0];
  const place = { start, end };
  if (depth > DEPTH_MAX || !isNode(node) || isAlias(node) || hasOwnTag(node)) return { kind: "unknown", ...place };
  if (isMap(node)) {
    return {
      kind: "object",
      complete: node.items.every(({ key }) => isScalar(key) && key.value !== "<<"),
      properties: node.items.flatMap(({ key, value }): LiteralProperty[] => {
        if (!isScalar(key)) return [];
        const literal =
          value === null ? { kind: "scalar" as const, value: null, ...rangeOf(key) } : toLiteral(value, depth + 1);
        return [{ key: String(key.value), value: literal, start: rangeOf(key).start, end: literal.end }];
      }),
      ...place,
    };
  }
  if (isSeq(node)) {
    return { kind: "array", complete: true, items: node.items.map((item) => toLiteral(item, depth + 1)), ...place };
  }
  const value: unknown = isScalar(node) ? node.value : undefined;
  if (typeof value === "string") return { kind: "string", value, ...place };
  if (typeof value === "number" || typeof value === "boolean" || value === null)
    return { kind: "scalar", value, ...place };
  return { kind: "unknown", ...place };
}

function rangeOf(node: Node): { start: number; end: number } {
  return { start: node.range?.[0] ?? 0, end: node.range?.[1] ?? 0 };
}

/** `!ENV NAME`, `!!python/name:…`: only the framework knows what these come to. */
function hasOwnTag(node: Node): boolean {
  const { tag } = node;
  return tag !== undefined && !tag.startsWith("tag:yaml.org,2002:")
    ? true
    : tag !== undefined && tag.startsWith("tag:yaml.org,2002:python");
}

/** What stands in a YAML file; values that a tag of Python makes are unknown. */
export function parseYaml(text: string): { root: Literal | undefined; error: YamlError | undefined } {
  const tooDeep = text.length > CHARACTERS_MAX ? 0 : tooDeepAt(text);
  if (tooDeep !== undefined) {
    return { root: undefined, error: { offset: tooDeep, message: "it is too large or nested too deeply" } };
  }
  try {
    const document = parseDocument(text, { lineCounter: new LineCounter(), prettyErrors: false, logLevel: "silent" });
    const [error] = document.errors;
    return {
      root: document.contents === null ? undefined : toLiteral(document.contents, 0),
      error: error === undefined ? undefined : { offset: error.pos[0], message: error.message.split("\n")[0] ?? "" },
    };
  } catch (error) {
    return {
      root: undefined,
      error: { offset: 0, message: error instanceof Error ? error.message : "it cannot be read" },
    };
  }
}
