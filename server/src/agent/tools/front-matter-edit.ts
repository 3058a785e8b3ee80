import { isDeepStrictEqual } from "node:util";
import { Document, isCollection, isMap, isScalar, parseDocument, type Pair, type ParsedNode } from "yaml";
import type { Refusal } from "../../workspace/refusal.ts";
import { explainFrontMatter, readFrontMatter, type FrontMatterBlock } from "./front-matter.ts";

/** Reading YAML takes time by the square of its fields: 50,000 of them took minutes. These take 0.1 s. */
const YAML_CHARACTERS_MAX = 20_000;

export type FieldValue = string | number | boolean | null | (string | number)[];

/**
 * Sets one top-level field of a page's front matter and changes no other character: the value is put in place of the
 * old one, in the same quotes where they fit; a missing field becomes the last line, a missing block the first lines.
 * @param text the page without its byte order mark
 * @param eol the page's line end
 */
export function setField(
  text: string,
  eol: "\n" | "\r\n",
  field: string,
  value: FieldValue,
): { text: string } | Refusal {
  const block = readFrontMatter(text);
  if (block === undefined) {
    if (/^---[ \t]*\r?\n/.test(text)) return { refused: "Its front matter has no closing `---` line." };
    return {
      text: `---${eol}${field}: ${written(value)}${eol}---${eol}${text.startsWith("\n") || text.startsWith("\r\n") ? "" : eol}${text}`,
    };
  }
  if (block.yaml.length > YAML_CHARACTERS_MAX) {
    return { refused: `Its front matter is longer than ${YAML_CHARACTERS_MAX} characters. Use edit_file.` };
  }
  const fault = explainFrontMatter(text);
  if (fault !== undefined) return { refused: fault };
  const document = parseDocument(block.yaml);
  if (!isReadable(document)) return { refused: "Its front matter has too many aliases (*name). Use edit_file." };
  const contents = document.contents;
  if (contents !== null && !isMap(contents)) return { refused: "Its front matter is not a list of fields." };
  const before: Record<string, unknown> = { ...document.toJS() };
  if (Object.hasOwn(before, field) && isDeepStrictEqual(before[field], value)) return { text };
  const pair = contents?.items.find((item) => isScalar(item.key) && item.key.value === field);
  if (pair === undefined && contents?.flow === true)
    return { refused: "Its front matter is written on one line, as {…}." };
  const edited =
    pair === undefined ? appended(text, block, eol, field, value) : replaced(text, block, eol, pair, value);
  return holds(edited, { ...before, [field]: value })
    ? { text: edited }
    : { refused: `The field ${field} is written in a way that cannot be changed safely. Use edit_file.` };
}

/** False where a few lines of aliases would make a value that fills the memory: the parser refuses those. */
function isReadable(document: Document.Parsed): boolean {
  try {
    document.toJS();
    return true;
  } catch {
    return false;
  }
}

function appended(text: string, block: FrontMatterBlock, eol: string, field: string, value: FieldValue): string {
  return `${text.slice(0, block.end)}${field}: ${written(value)}${eol}${text.slice(block.end)}`;
}

function replaced(
  text: string,
  block: FrontMatterBlock,
  eol: string,
  pair: Pair<ParsedNode, ParsedNode | null>,
  value: FieldValue,
): string {
  const node = pair.value;
  const keyEnd = block.start + (pair.key.range?.[1] ?? 0);
  const colon = text.indexOf(":", keyEnd) + 1;
  const [valueStart, valueEnd] = node?.range ?? [0, 0];
  const start = block.start + valueStart;
  const end = block.start + valueEnd;
  // `field:` with nothing after it: the value's range is empty and may lie on the next line.
  if (node === null || (isScalar(node) && node.source === "" && start === end && node.type === "PLAIN")) {
    return `${text.slice(0, colon)} ${written(value)}${text.slice(colon)}`;
  }
  const quote = isScalar(node) ? node.type : undefined;
  const startsLine = /\n[ \t]*$/.test(text.slice(colon, start));
  const from = startsLine ? colon : start;
  // A block scalar and a block list end with their last line's end, which must stay.
  const trailing = /\r?\n[ \t]*$/.exec(text.slice(from, end)) === null ? "" : eol;
  const isBlockList = isCollection(node) && node.flow !== true;
  const stop = isBlockList ? blockEnd(text, from, end) : end;
  return `${text.slice(0, from)}${startsLine ? " " : ""}${written(value, quote)}${isBlockList ? "" : trailing}${text.slice(stop)}`;
}

/** Where the last line of a block list ends, before its line end. */
function blockEnd(text: string, from: number, end: number): number {
  return from + text.slice(from, end).trimEnd().length;
}

function holds(text: string, expected: Record<string, unknown>): boolean {
  const block = readFrontMatter(text);
  if (block === undefined) return false;
  const document = parseDocument(block.yaml);
  return document.errors.length === 0 && isDeepStrictEqual({ ...document.toJS() }, expected);
}

/** A value on one line of YAML, in the quotes that the old value had where they can hold it. */
function written(value: FieldValue, quote?: string): string {
  if (typeof value === "string" && quote === "QUOTE_SINGLE" && !/[\r\n]/.test(value))
    return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === "string" && (quote === "QUOTE_DOUBLE" || /[\r\n]/.test(value))) return JSON.stringify(value);
  const document = new Document(value);
  if (isCollection(document.contents)) document.contents.flow = true;
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
  return /[\r\n]/.test(text) ? JSON.stringify(value) : text;
}
