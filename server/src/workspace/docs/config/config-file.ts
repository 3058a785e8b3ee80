import type { DocsFiles } from "../docs-files.ts";
import { createLinePositions } from "../page/line-positions.ts";
import type { Problem, ProblemKind } from "../problem.ts";
import { parseJson } from "./json-literal.ts";
import type { Literal, LiteralString } from "./literal.ts";
import { parseScript } from "./script-literal.ts";

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
  if (!path.endsWith(".json")) {
    return { path, text, root: parseScript(text, /\.[cm]?ts$/.test(path)), problem: undefined };
  }
  const { root, error } = parseJson(text);
  if (error === undefined) return { path, text, root, problem: undefined };
  const place = createLinePositions(text)(error.offset);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return {
    path,
    text,
    root,
    problem: { kind: "syntax", path, ...place, message: `${name} is not valid JSON: ${error.message}.` },
  };
}

/** A problem at a string of the file. */
export function problemAt(
  file: ConfigFile,
  literal: LiteralString,
  kind: ProblemKind,
  message: string,
  suggestion?: string,
): Problem {
  return {
    kind,
    path: file.path,
    ...createLinePositions(file.text)(literal.start + 1),
    message,
    target: file.text.slice(literal.start + 1, literal.end - 1),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
