import type { DocsFiles } from "../docs-files.ts";
import { createLinePositions } from "../page/line-positions.ts";
import type { Problem, ProblemKind } from "../problem.ts";
import { folderOf, joinPath } from "../paths.ts";
import { parseJson } from "./json-literal.ts";
import type { Literal, LiteralString } from "./literal.ts";
import { parseNamedExports, parseScript } from "./script-literal.ts";
import { parseYaml } from "./yaml-literal.ts";

/** A configuration file and what stands in it literally. */
export interface ConfigFile {
  path: string;
  text: string;
  /** Undefined when nothing of it can be read. */
  root: Literal | undefined;
  /** The file does not parse. Only told of JSON: what a script's error is depends on how it is run. */
  problem: Problem | undefined;
}

export async function readConfigFile(files: DocsFiles, path: string): Promise<ConfigFile | undefined> {
  const text = await files.text(path);
  if (text === undefined) return undefined;
  const format = path.endsWith(".json") ? "JSON" : /\.ya?ml$/.test(path) ? "YAML" : undefined;
  if (format === undefined) {
    return { path, text, root: parseScript(text, isTypeScript(path)), problem: undefined };
  }
  const { root, error } = format === "JSON" ? parseJson(text) : parseYaml(text);
  if (error === undefined) return { path, text, root, problem: undefined };
  const place = createLinePositions(text)(error.offset);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return {
    path,
    text,
    root,
    problem: {
      kind: "syntax",
      path,
      ...place,
      message: `${name} is not valid ${format}: ${error.message.replace(/\.$/, "")}.`,
    },
  };
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

const MODULE_SUFFIXES = [
  "",
  ".ts",
  ".mts",
  ".js",
  ".mjs",
  ".cts",
  ".cjs",
  ".json",
  "/index.ts",
  "/index.mts",
  "/index.js",
  "/index.mjs",
];

/** A value and the file that it stands in. */
export interface PlacedLiteral {
  file: ConfigFile;
  literal: Literal;
}

/** Reads what a value is imported from, where that is a file of the tree; other values stay what they are. */
export async function followImport(files: DocsFiles, value: PlacedLiteral): Promise<PlacedLiteral> {
  const { file, literal } = value;
  const imported = literal.kind === "unknown" ? literal.imported : undefined;
  if (imported === undefined || !imported.source.startsWith(".")) return value;
  const target = joinPath(folderOf(file.path), imported.source);
  const stem = target?.replace(/\.([cm]?)js$/, "");
  const path = [target, stem]
    .flatMap((name) => (name === undefined ? [] : MODULE_SUFFIXES.map((suffix) => `${name}${suffix}`)))
    .find((name) => files.has(name));
  const other = path === undefined ? undefined : await readConfigFile(files, path);
  if (other === undefined) return value;
  const exported =
    imported.name === "default"
      ? other.root
      : parseNamedExports(other.text, isTypeScript(other.path)).get(imported.name);
  return exported === undefined ? value : { file: other, literal: exported };
}

/** How many characters stand before and after a string's text: its quotes, and none in YAML's plain style. */
export function quoteLength(text: string, literal: LiteralString): 0 | 1 {
  return /["'`]/.test(text[literal.start] ?? "") ? 1 : 0;
}

/** A problem at a string of the file. */
export function problemAt(
  file: ConfigFile,
  literal: LiteralString,
  kind: ProblemKind,
  message: string,
  suggestion?: string,
): Problem {
  const inset = quoteLength(file.text, literal);
  return {
    kind,
    path: file.path,
    ...createLinePositions(file.text)(literal.start + inset),
    message,
    target: file.text.slice(literal.start + inset, literal.end - inset),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
