import type { TextEdit } from "../text-edit.ts";
import type { LiteralArray, LiteralObject, LiteralString } from "./literal.ts";

export function lineBreak(text: string): string {
  return /\r\n/.test(text) ? "\r\n" : "\n";
}

/** The white space that the line of this offset begins with. */
export function indentationAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

/** One level of indentation as this file writes it. */
export function indentationUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

/** A string in the quotes that the file uses at this place. */
export function quoted(value: string, quote: string): string {
  const json = JSON.stringify(value);
  return quote === '"'
    ? json
    : `${quote}${json.slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`)}${quote}`;
}

export function replaceString(text: string, literal: LiteralString, value: string): TextEdit {
  return { start: literal.start, end: literal.end, text: quoted(value, text[literal.start] ?? '"') };
}

/** Puts `item` at `index` of an array, in the array's own layout. */
export function insertItem(text: string, array: LiteralArray, index: number, item: string): TextEdit {
  const previous = array.items[index - 1];
  const first = array.items[0];
  if (first === undefined) return { start: array.start + 1, end: array.end - 1, text: item };
  const lines = text.slice(array.start, first.start).includes("\n");
  const separator = lines ? `${lineBreak(text)}${indentationAt(text, first.start)}` : " ";
  if (previous === undefined) return { start: first.start, end: first.start, text: `${item},${separator}` };
  return { start: previous.end, end: previous.end, text: `,${separator}${item}` };
}

/** Takes an item out of an array, with its comma and its line. */
export function removeItem(text: string, array: LiteralArray, index: number): TextEdit | undefined {
  const item = array.items[index];
  if (item === undefined) return undefined;
  const previous = array.items[index - 1];
  if (array.items.length === 1) return { start: array.start + 1, end: array.end - 1, text: "" };
  if (index === array.items.length - 1 && previous !== undefined)
    return { start: previous.end, end: item.end, text: "" };
  const after = /^\s*,[ \t]*(?:\r?\n[ \t]*)?/.exec(text.slice(item.end));
  return { start: item.start, end: item.end + (after?.[0].length ?? 0), text: "" };
}

/** Adds a property at the end of an object. */
export function insertProperty(text: string, object: LiteralObject, key: string, value: string): TextEdit {
  const last = object.properties.at(-1);
  if (last === undefined) return { start: object.start + 1, end: object.end - 1, text: `${key}: ${value}` };
  const lines = text.slice(object.start, last.start).includes("\n");
  const separator = lines ? `${lineBreak(text)}${indentationAt(text, last.start)}` : " ";
  return { start: last.end, end: last.end, text: `,${separator}${key}: ${value}` };
}
