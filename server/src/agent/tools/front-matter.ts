import { parseDocument } from "yaml";

/** The YAML block at the start of a page, in UTF-16 code units of the page's text (without its byte order mark). */
export interface FrontMatterBlock {
  /** Where the YAML starts, after the line of the opening `---`. */
  start: number;
  /** Where the line of the closing `---` starts. */
  end: number;
  yaml: string;
}

const BLOCK = /^---[ \t]*\r?\n((?:[^\n]*\n)*?)---[ \t]*(?:\r?\n|$)/;

export function readFrontMatter(text: string): FrontMatterBlock | undefined {
  const match = BLOCK.exec(text);
  if (match === null) return undefined;
  const yaml = match[1] ?? "";
  const start = text.indexOf("\n") + 1;
  return { start, end: start + yaml.length, yaml };
}

/** What is wrong with a page's front matter, in a sentence; undefined when nothing is, or there is none. */
export function explainFrontMatter(text: string): string | undefined {
  const block = readFrontMatter(text);
  const error = block === undefined ? undefined : parseDocument(block.yaml).errors[0];
  if (error === undefined) return undefined;
  const line = (error.linePos?.[0].line ?? 0) + 1;
  return `The front matter is not valid YAML (line ${line}): ${error.message.split("\n")[0]}`;
}
