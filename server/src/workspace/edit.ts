import type { Refusal } from "./refusal.ts";
import { artifactIn } from "./edit/artifacts.ts";
import { createHaystack, type Haystack } from "./edit/haystack.ts";
import { lineNumbersAt } from "./edit/lines.ts";
import { findMatches } from "./edit/match.ts";
import { nearestLines } from "./edit/nearest.ts";
import type { Region } from "./edit/region.ts";
import { seamDefect } from "./edit/seams.ts";
import { replaceRegion } from "./edit/splice.ts";
import { decodeText, encodeText } from "./text.ts";

export interface TextEdit {
  /** The text as it stands in the file; must name one place, unless `all`. */
  old: string;
  new: string;
  /** Replace every place. */
  all?: boolean;
  /** Only what starts on this line, 1-based, as numbered before any of the edits. */
  line?: number;
}

const LINES_NAMED_MAX = 20;
const LINE_LENGTH_SHOWN_MAX = 400;

/** One place and what will stand there. */
interface Splice extends Region {
  written: string;
  edit: number;
}

/**
 * Applies search/replace edits to a file; all of them or none. Every `old` is looked for in the file as it was before
 * the first edit: exactly (every line end counts the same), then with typography and white space normalised, then with
 * another indentation. Keeps the file's line ends, byte order mark and final newline, and every byte outside the
 * edits. An edit that cannot be meant as it stands is refused with what to do instead.
 */
export function editText(content: Uint8Array, edits: readonly TextEdit[]): { content: Uint8Array } | Refusal {
  const decoded = decodeText(content);
  if ("refused" in decoded) return decoded;
  if (edits.length === 0) return { refused: "There is no edit. Give at least one with `old` and `new`." };
  const haystack = createHaystack(decoded.text);
  const lineStarts = edits.some((edit) => edit.line !== undefined) ? lineStartsOf(decoded.text) : [];
  const splices: Splice[] = [];
  for (const [index, edit] of edits.entries()) {
    const found = findSplices(haystack, lineStarts, edit);
    if ("refused" in found) {
      const which = edits.length === 1 ? "" : `Edit ${index + 1} of ${edits.length}, none of which was made: `;
      return { refused: which + found.refused + writtenByAnother(edits, index, decoded.text) };
    }
    for (const splice of found) splices.push({ ...splice, edit: index });
  }
  const edited = spliceAll(decoded.text, splices);
  if (typeof edited !== "string") return edited;
  return { content: encodeText(withFinalNewlineOf(decoded.text, edited), decoded.bom) };
}

function findSplices(
  haystack: Haystack,
  lineStarts: readonly number[],
  given: TextEdit,
): Omit<Splice, "edit">[] | Refusal {
  const { text } = haystack;
  // A byte order mark is never part of the text: the file keeps its own.
  const edit = { ...given, old: given.old.replace(/^\uFEFF/, ""), new: given.new.replace(/^\uFEFF/, "") };
  const defect = editDefect(edit);
  if (defect !== undefined) return { refused: defect };
  const within = edit.line === undefined ? undefined : lineRegion(text, lineStarts, edit.line);
  if (within !== undefined && "refused" in within) return within;
  const matches = findMatches(haystack, edit.old, within);
  if (matches === undefined) {
    return { refused: within === undefined ? notFound(text, edit.old) : notOnLine(text, within, edit) };
  }
  if (matches.regions.length > 1 && edit.all !== true) {
    return {
      refused: edit.line === undefined ? ambiguous(text, matches.regions) : ambiguousOnLine(edit, matches.regions),
    };
  }
  const splices: Omit<Splice, "edit">[] = [];
  let at = 0;
  for (const region of matches.regions) {
    // With `all`, of two places that overlap the first one counts.
    if (region.start < at) continue;
    at = region.end;
    const written = replaceRegion(text, region, matches.level, edit);
    if (written === undefined) return { refused: otherIndentation(text, region) };
    const seam = seamDefect(text, region, written, edit);
    if (seam !== undefined) return { refused: seam };
    splices.push({ ...region, written });
  }
  if (splices.every(({ start, end, written }) => text.slice(start, end) === written)) {
    return { refused: "The edit changes nothing: the text already reads like that." };
  }
  return splices;
}

function writtenByAnother(edits: readonly TextEdit[], index: number, text: string): string {
  const old = edits[index]?.old ?? "";
  const writer = edits.findIndex((other, at) => at < index && old !== "" && other.new.includes(old));
  if (writer === -1 || text.includes(old)) return "";
  return ` Every edit is made on the file as it was before this call; edit ${writer + 1} writes that text. Make them one edit.`;
}

function spliceAll(text: string, splices: Splice[]): string | Refusal {
  splices.sort((a, b) => a.start - b.start || a.end - b.end || a.edit - b.edit);
  const parts: string[] = [];
  let at = 0;
  let before: Splice | undefined;
  for (const splice of splices) {
    if (before !== undefined && splice.start < at) {
      const [first, second] = [before.edit + 1, splice.edit + 1].sort((a, b) => a - b);
      const line = lineNumbersAt(text, [splice.start])[0] ?? 1;
      return {
        refused: `None of the edits was made: edits ${first} and ${second} overlap on line ${line}. Make them one edit.`,
      };
    }
    parts.push(text.slice(at, splice.start), splice.written);
    at = splice.end;
    before = splice;
  }
  return parts.join("") + text.slice(at);
}

function editDefect({ old, new: replacement }: TextEdit): string | undefined {
  if (old === "") return "`old` is empty. Give the text to replace; to write a whole file, use write_file.";
  if (old === replacement) return "`old` and `new` are the same, so the edit changes nothing.";
  if (replacement.includes("\0") || !replacement.isWellFormed()) {
    return "`new` holds a NUL character or half of a surrogate pair, which no text file may have.";
  }
  if (!old.isWellFormed()) {
    return "`old` holds half of a surrogate pair, which no text file has. Copy whole characters.";
  }
  return artifactIn(replacement, old);
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0 && at + 1 < text.length; at = text.indexOf("\n", at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

function lineRegion(text: string, starts: readonly number[], line: number): Region | Refusal {
  const start = starts[line - 1];
  if (start === undefined) return { refused: `There is no line ${line}: the file has ${starts.length} lines.` };
  return { start, end: starts[line] ?? text.length };
}

function notOnLine(text: string, { start, end }: Region, { old, line }: TextEdit): string {
  const whole = text.slice(start, end).trimEnd();
  const shown = whole.length > LINE_LENGTH_SHOWN_MAX ? `${whole.slice(0, LINE_LENGTH_SHOWN_MAX)}…` : whole;
  return `Line ${line} does not hold ${JSON.stringify(old)}. It is: ${shown}`;
}

function ambiguousOnLine({ old, line }: TextEdit, regions: readonly Region[]): string {
  return `Line ${line} holds ${JSON.stringify(old)} ${regions.length} times. Give more of the line, or set \`all\`.`;
}

function otherIndentation(text: string, { start }: Region): string {
  const line = lineNumbersAt(text, [start])[0] ?? 1;
  return `\`old\` is indented otherwise in the file, at line ${line}, and it cannot be told how deep the lines of \`new\` belong there. Copy the indentation from the file, tabs and spaces as they are.`;
}

function notFound(text: string, old: string): string {
  const lines = nearestLines(text, old);
  if (lines.length === 0)
    return "`old` is not in the file, nor anything like it. Read the file again and copy the text from it.";
  return `\`old\` is not in the file. The nearest lines are:\n${lines.join("\n")}\nCopy the text exactly as it stands there.`;
}

function ambiguous(text: string, regions: readonly Region[]): string {
  const numbers = lineNumbersAt(
    text,
    regions.map((region) => region.start),
  );
  const shown = numbers.slice(0, LINES_NAMED_MAX).join(", ");
  const more = numbers.length > LINES_NAMED_MAX ? ` and ${numbers.length - LINES_NAMED_MAX} more` : "";
  return (
    `\`old\` stands at ${regions.length} places (line${numbers.length === 1 ? "" : "s"} ${shown}${more}). ` +
    "Add the lines around it until it names one place, or set `all` to replace every one."
  );
}

/** A file that ends with a line end keeps ending with one, and one that does not gets none. */
function withFinalNewlineOf(before: string, after: string): string {
  if (after === "" || before === "") return after;
  if (before.endsWith("\n")) return after.endsWith("\n") ? after : after + (before.endsWith("\r\n") ? "\r\n" : "\n");
  return after.replace(/(?:\r?\n)+$/, "");
}
