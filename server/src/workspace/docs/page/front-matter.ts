import type { JSONValue } from "@ai-sdk/provider";
import type { Root } from "mdast";
import { parseDocument } from "yaml";
import type { PageProblem } from "./page-facts.ts";

export interface FrontMatter {
  values: Record<string, JSONValue>;
  problems: PageProblem[];
}

function toJson(value: unknown): JSONValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item)]));
  }
  return null;
}

/** Front matter that was opened and never closed is plain Markdown to the parser: a rule, then a heading or text. */
function unclosed(text: string): boolean {
  const opening = /^\uFEFF?---[ \t]*\r?\n[A-Za-z_][\w-]*:[ \t]/.exec(text);
  return opening !== null && !/\n---[ \t]*(?:\r?\n|$)/.test(text.slice(3));
}

/** The page's YAML front matter and what is wrong with it. `mustBePairs`: anything but `key: value` pairs is wrong. */
export function readFrontMatter(root: Root, text: string, mustBePairs: boolean): FrontMatter {
  const problem = (line: number, column: number, message: string): FrontMatter => ({
    values: {},
    problems: [{ kind: "front-matter", line, column, message }],
  });
  const node = root.children[0];
  if (node?.type !== "yaml") {
    return unclosed(text)
      ? problem(1, 1, "The front matter is never closed: put a line of --- after its last field.")
      : { values: {}, problems: [] };
  }
  const firstLine = (node.position?.start.line ?? 1) + 1;
  try {
    const document = parseDocument(node.value, { prettyErrors: true });
    const error = document.errors[0];
    if (error !== undefined) {
      const at = error.linePos?.[0] ?? { line: 1, col: 1 };
      const reason = (error.message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
      return problem(firstLine + at.line - 1, at.col, `The front matter is not valid YAML: ${reason}.`);
    }
    const values: unknown = document.toJS({ maxAliasCount: 100 });
    if (values === null || values === undefined) return { values: {}, problems: [] };
    if (typeof values !== "object" || Array.isArray(values)) {
      return mustBePairs
        ? problem(firstLine, 1, "The front matter must be `key: value` pairs.")
        : { values: {}, problems: [] };
    }
    return {
      values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, toJson(value)])),
      problems: [],
    };
  } catch (error) {
    return problem(
      firstLine,
      1,
      `The front matter is not valid YAML: ${error instanceof Error ? error.message : "it cannot be read"}.`,
    );
  }
}
