import type { Refusal } from "./refusal.ts";
import { lineNumbersAt } from "./edit/lines.ts";
import { findMatches } from "./edit/match.ts";
import type { Region } from "./edit/region.ts";
import { nearestLines } from "./edit/nearest.ts";
import { replaceRegion } from "./edit/splice.ts";
import { decodeText, encodeText } from "./text.ts";

export interface TextEdit {
  /** The text as it stands in the file; must name one place, unless `all`. */
  old: string;
  new: string;
  /** Replace every place. */
  all?: boolean;
}

const LINES_NAMED_MAX = 20;

/**
 * Applies search/replace edits to a file, one after another; all of them or none. `old` is looked for exactly (every
 * line end counts the same), then with typography and white space normalised, then with another indentation. Keeps
 * the file's line ends, byte order mark and final newline, and every byte outside the edits.
 */
export function editText(content: Uint8Array, edits: readonly TextEdit[]): { content: Uint8Array } | Refusal {
  const decoded = decodeText(content);
  if ("refused" in decoded) return decoded;
  if (edits.length === 0) return { refused: "There is no edit. Give at least one with `old` and `new`." };
  let { text } = decoded;
  for (const [index, edit] of edits.entries()) {
    const edited = applyEdit(text, edit);
    if ("refused" in edited) {
      const which = edits.length === 1 ? "" : `Edit ${index + 1} of ${edits.length}, none of which was made: `;
      return { refused: which + edited.refused };
    }
    text = edited.text;
  }
  return { content: encodeText(withFinalNewlineOf(decoded.text, text), decoded.bom) };
}

function applyEdit(text: string, edit: TextEdit): { text: string } | Refusal {
  const defect = editDefect(edit);
  if (defect !== undefined) return { refused: defect };
  const matches = findMatches(text, edit.old, edit.new);
  if (matches === undefined) return { refused: notFound(text, edit.old) };
  if (matches.regions.length > 1 && edit.all !== true) return { refused: ambiguous(text, matches.regions) };
  const parts: string[] = [];
  let at = 0;
  for (const region of matches.regions) {
    // With `all`, of two places that overlap the first one counts.
    if (region.start < at) continue;
    parts.push(text.slice(at, region.start), replaceRegion(text, region, matches.level));
    at = region.end;
  }
  const edited = parts.join("") + text.slice(at);
  if (edited === text) return { refused: "The edit changes nothing: the text already reads like that." };
  return { text: edited };
}

function editDefect(edit: TextEdit): string | undefined {
  if (edit.old === "") return "`old` is empty. Give the text to replace; to write a whole file, use write_file.";
  if (edit.old === edit.new) return "`old` and `new` are the same, so the edit changes nothing.";
  if (edit.new.includes("\0") || !edit.new.isWellFormed()) {
    return "`new` holds a NUL character or half of a surrogate pair, which no text file may have.";
  }
  return undefined;
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
