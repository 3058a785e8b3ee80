import { indentMap } from "./indentation.ts";
import { splitLines } from "./lines.ts";
import { normaliseTypography } from "./normalise.ts";
import type { Region } from "./region.ts";

const bodyOf = (line: string) => normaliseTypography(line.trim(), { fragment: false }).text;

/** Without the blank lines before the first that says something: where blank lines stand, nothing is indented. */
export const withoutBlankStart = (text: string) => text.replace(/^(?:[^\S\n]*\n)+/, "");

/** The places where the lines of `old` stand with another indentation, nested in the same way. */
export function findReindented(text: string, old: string): Region[] {
  const trimmed = withoutBlankStart(old.replaceAll("\r\n", "\n"));
  const oldLines = splitLines(trimmed);
  const bodies = oldLines.map((line) => bodyOf(line.text));
  if (bodies.every((body) => body === "")) return [];
  const fileLines = splitLines(text);
  const fileBodies = fileLines.map((line) => bodyOf(line.text));
  const regions: Region[] = [];
  for (let at = 0; at + bodies.length <= fileLines.length; at += 1) {
    if (!bodies.every((body, index) => body === fileBodies[at + index])) continue;
    const window = fileLines.slice(at, at + bodies.length);
    const first = window[0];
    const last = window.at(-1);
    if (first === undefined || last === undefined || indentMap(oldLines, window) === undefined) continue;
    const end = last.start + last.text.length + (trimmed.endsWith("\n") ? last.eol.length : 0);
    regions.push({ start: first.start, end });
  }
  return regions;
}
