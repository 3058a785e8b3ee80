import { majorityEol, type Eol } from "../text.ts";
import { splitLines, type Line } from "./lines.ts";
import type { MatchLevel } from "./match.ts";
import type { Region } from "./region.ts";
import { normaliseTypography } from "./normalise.ts";

/** Above this many line pairs only the equal lines at both ends are kept; the table would grow too large. */
const PAIRS_MAX = 1_000_000;

/** The line end that text at this place should have: its own line's, else the one before, else the file's. */
function eolAt(text: string, offset: number): Eol {
  const after = text.indexOf("\n", offset);
  const feed = after === -1 ? text.lastIndexOf("\n") : after;
  if (feed === -1) return majorityEol(text);
  return text[feed - 1] === "\r" ? "\r\n" : "\n";
}

/** Pairs of equal lines, in order: a longest common subsequence. */
function commonLines(a: readonly string[], b: readonly string[]): [number, number][] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const pairs: [number, number][] = Array.from({ length: head }, (_, index) => [index, index]);
  const rows = a.length - head - tail;
  const columns = b.length - head - tail;
  if (rows > 0 && columns > 0 && rows * columns <= PAIRS_MAX) {
    const width = columns + 1;
    const lengths = new Uint32Array((rows + 1) * width);
    const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
    for (let row = rows - 1; row >= 0; row -= 1) {
      for (let column = columns - 1; column >= 0; column -= 1) {
        lengths[row * width + column] =
          a[head + row] === b[head + column]
            ? at(row + 1, column + 1) + 1
            : Math.max(at(row + 1, column), at(row, column + 1));
      }
    }
    for (let row = 0, column = 0; row < rows && column < columns;) {
      if (a[head + row] === b[head + column]) pairs.push([head + row++, head + column++]);
      else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
      else column += 1;
    }
  }
  for (let index = tail; index > 0; index -= 1) pairs.push([a.length - index, b.length - index]);
  return pairs;
}

/** The new line, with the file's own characters where old and new differ in typography only. */
function mergeLine(fileLine: string, newLine: string): string {
  const a = normaliseTypography(fileLine, { fragment: true });
  const b = normaliseTypography(newLine, { fragment: true });
  const shorter = Math.min(a.text.length, b.text.length);
  let head = 0;
  while (head < shorter && a.text[head] === b.text[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && a.text.at(-1 - tail) === b.text.at(-1 - tail)) tail += 1;
  const cut = (side: typeof a, line: string): [number, number] => [
    head === 0 ? 0 : (side.ends[head - 1] ?? 0),
    tail === 0 ? line.length : (side.starts[side.text.length - tail] ?? line.length),
  ];
  const [fileStart, fileEnd] = cut(a, fileLine);
  const [newStart, newEnd] = cut(b, newLine);
  return fileLine.slice(0, fileStart) + newLine.slice(newStart, Math.max(newStart, newEnd)) + fileLine.slice(fileEnd);
}

/**
 * What stands in the region after the edit. Lines that the edit repeats keep the file's own bytes; a changed line
 * keeps its line end; new lines take the line end of their surroundings.
 */
export function replaceRegion(text: string, region: Region, level: MatchLevel): string {
  const fileLines = splitLines(text.slice(region.start, region.end));
  const newLines = splitLines(region.replacement.replaceAll("\r\n", "\n"));
  const form = (line: string) => (level === "exact" ? line : normaliseTypography(line, { fragment: false }).text);
  // A line with a line end never equals one without: joining the next line to it would change the text.
  const key = (line: Line) => `${form(line.text)}${line.eol === "" ? "" : "\n"}`;
  const pairs = commonLines(fileLines.map(key), newLines.map(key));
  const parts: string[] = [];
  let fileAt = 0;
  let newAt = 0;
  for (const [fileIndex, newIndex] of [...pairs, [fileLines.length, newLines.length] as const]) {
    for (; newAt < newIndex; newAt += 1, fileAt += 1) {
      const line = newLines[newAt];
      if (line === undefined) continue;
      const replaced = fileAt < fileIndex ? fileLines[fileAt] : undefined;
      parts.push(replaced === undefined || level === "exact" ? line.text : mergeLine(replaced.text, line.text));
      if (line.eol !== "")
        parts.push(
          replaced?.eol || eolAt(text, region.start + (fileLines[fileIndex]?.start ?? region.end - region.start)),
        );
    }
    const kept = fileLines[fileIndex];
    if (kept !== undefined) parts.push(kept.text, kept.eol);
    fileAt = fileIndex + 1;
    newAt = newIndex + 1;
  }
  return parts.join("");
}
