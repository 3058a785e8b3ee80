import type { TextEdit } from "../text-edit.ts";
import { indentationAt, lineBreak } from "./literal-edits.ts";
import type { LiteralArray, LiteralObject, LiteralString } from "./literal.ts";

/** A string as YAML: bare where it then means nothing else. */
export function yamlString(value: string): string {
  const isPlain =
    /^[\p{L}\p{N}_/.(][\p{L}\p{N}_/.()+,&' -]*$/u.test(value) &&
    !/\s$|^(?:true|false|yes|no|on|off|null|~)$|^[\d.+-]+$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}

export function replaceYamlString(text: string, literal: LiteralString, value: string): TextEdit {
  const { start, end } = literal;
  const quote = text[start];
  if (quote === '"') return { start, end, text: JSON.stringify(value) };
  if (quote === "'") return { start, end, text: `'${value.replaceAll("'", "''")}'` };
  return { start, end, text: yamlString(value) };
}

function isFlow(text: string, node: { start: number }): boolean {
  return text[node.start] === "[" || text[node.start] === "{";
}

/** The end of the line on which `offset` lies, its line break not included. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  const bare = end === -1 ? text.length : end;
  return text[bare - 1] === "\r" ? bare - 1 : bare;
}

/** Puts a line or, in brackets, an item into a list after the item at `index`; -1 is before the first. */
export function insertYamlItem(text: string, array: LiteralArray, index: number, item: string): TextEdit | undefined {
  const [first, after] = [array.items[0], array.items[index]];
  if (isFlow(text, array)) {
    if (first === undefined) return { start: array.start + 1, end: array.end - 1, text: item };
    return after === undefined
      ? { start: first.start, end: first.start, text: `${item}, ` }
      : { start: after.end, end: after.end, text: `, ${item}` };
  }
  if (first === undefined) return undefined;
  const dash = text.lastIndexOf("-", first.start - 1);
  const line = `${indentationAt(text, dash)}- ${item}`;
  const eol = lineBreak(text);
  if (after === undefined) {
    const start = text.lastIndexOf("\n", dash - 1) + 1;
    return { start, end: start, text: `${line}${eol}` };
  }
  const end = lineEnd(text, Math.max(after.start, after.end - 1));
  return { start: end, end, text: `${eol}${line}` };
}

/** Takes an item out of a list, with its line. */
export function removeYamlItem(text: string, array: LiteralArray, index: number): TextEdit | undefined {
  const item = array.items[index];
  if (item === undefined || array.items.length === 1) return undefined;
  if (isFlow(text, array)) {
    const [previous, next] = [array.items[index - 1], array.items[index + 1]];
    return next === undefined
      ? { start: previous?.end ?? item.start, end: item.end, text: "" }
      : { start: item.start, end: next.start, text: "" };
  }
  const dash = text.lastIndexOf("-", item.start - 1);
  const start = text.lastIndexOf("\n", dash - 1) + 1;
  const end = text.indexOf("\n", Math.max(item.start, item.end - 1));
  return { start, end: end === -1 ? text.length : end + 1, text: "" };
}

/** Adds a line `key: value` to a mapping of several lines. */
export function insertYamlPair(text: string, object: LiteralObject, key: string, value: string): TextEdit | undefined {
  const pair = `${yamlString(key)}: ${yamlString(value)}`;
  const last = object.properties.at(-1);
  if (isFlow(text, object)) {
    return last === undefined
      ? { start: object.start + 1, end: object.end - 1, text: ` ${pair} ` }
      : { start: last.end, end: last.end, text: `, ${pair}` };
  }
  if (last === undefined) return undefined;
  const end = lineEnd(text, Math.max(last.start, last.end - 1));
  return { start: end, end, text: `${lineBreak(text)}${indentationAt(text, last.start)}${pair}` };
}
