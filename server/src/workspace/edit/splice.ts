import { majorityEol, type Eol } from "../text.ts";
import { commonPairs } from "./common.ts";
import { indentMap, indentOf, mapIndent, type IndentMap } from "./indentation.ts";
import { splitLines, type Line } from "./lines.ts";
import type { MatchLevel } from "./match.ts";
import { mergeLine } from "./merge-line.ts";
import type { Region } from "./region.ts";
import { withoutBlankStart } from "./reindent.ts";

/** The line end that text at this place should have: its own line's, else the one before, else the file's. */
function eolAt(text: string, offset: number): Eol {
  const after = text.indexOf("\n", offset);
  const feed = after === -1 ? text.lastIndexOf("\n") : after;
  if (feed === -1) return majorityEol(text);
  return text[feed - 1] === "\r" ? "\r\n" : "\n";
}

// A line with a line end never equals one without: joining the next line to it would change the text.
const key = (line: Line) => `${line.text}${line.eol === "" ? "" : "\n"}`;

/**
 * What stands in the region after the change from `old` to `new` is made there. Lines that the change repeats keep the
 * file's own bytes; a changed line keeps its line end and, in a place found loosely, the characters that the change
 * does not touch; new lines take the line end of their surroundings. Undefined when the file's indentation of a new
 * line cannot be told.
 */
export function replaceRegion(
  text: string,
  region: Region,
  level: MatchLevel,
  edit: { old: string; new: string },
): string | undefined {
  const fileLines = splitLines(text.slice(region.start, region.end));
  const sides = editSides(edit, level, fileLines.at(-1)?.eol !== "");
  const oldLines = splitLines(sides.old);
  const newLines = splitLines(sides.new);
  const indents = level === "indentation" ? (indentMap(oldLines, fileLines) ?? new Map<string, string>()) : undefined;
  const startsMidLine = region.start > 0 && text[region.start - 1] !== "\n";
  const pairs = commonPairs(oldLines.map(key), newLines.map(key));
  const parts: string[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const [oldIndex, newIndex] of [...pairs, [oldLines.length, newLines.length] as const]) {
    for (; newAt < newIndex; newAt += 1, oldAt += 1) {
      const line = newLines[newAt];
      if (line === undefined) continue;
      const isReplacing = oldAt < oldIndex;
      const fileLine = isReplacing ? fileLines[oldAt] : undefined;
      const written = newLineText(line.text, {
        level,
        indents,
        fileLine: fileLine?.text,
        oldLine: oldLines[oldAt]?.text ?? "",
        fragment: (oldLines[oldAt]?.eol ?? "") === "",
        midLine: startsMidLine && oldAt === 0,
      });
      if (written === undefined) return undefined;
      parts.push(written);
      if (line.eol === "") continue;
      const lineEnd = region.start + (fileLines[oldIndex]?.start ?? region.end - region.start);
      parts.push(fileLine?.eol || eolAt(text, lineEnd));
    }
    const kept = fileLines[oldIndex];
    if (kept !== undefined) parts.push(kept.text, kept.eol);
    oldAt = oldIndex + 1;
    newAt = newIndex + 1;
  }
  return parts.join("");
}

/** Both sides with LF, as they are compared with the region's lines. */
function editSides(
  edit: { old: string; new: string },
  level: MatchLevel,
  endsWithEol: boolean,
): { old: string; new: string } {
  const old = edit.old.replaceAll("\r\n", "\n");
  const replacement = edit.new.replaceAll("\r\n", "\n");
  if (level !== "indentation") return { old, new: replacement };
  const trimmed = withoutBlankStart(old);
  const trimmedNew = trimmed === old ? replacement : withoutBlankStart(replacement);
  // `old` ends with a line end that the file's last line does not have.
  return trimmed.endsWith("\n") && !endsWithEol
    ? { old: trimmed.replace(/\n$/, ""), new: trimmedNew.replace(/\n$/, "") }
    : { old: trimmed, new: trimmedNew };
}

function newLineText(
  newLine: string,
  options: {
    level: MatchLevel;
    indents: IndentMap | undefined;
    fileLine: string | undefined;
    oldLine: string;
    fragment: boolean;
    midLine: boolean;
  },
): string | undefined {
  const { level, indents, fileLine, oldLine, fragment, midLine } = options;
  if (level === "exact") return newLine;
  if (indents === undefined) {
    return fileLine === undefined ? newLine : mergeLine(fileLine, oldLine, newLine, { fragment, midLine });
  }
  const body = newLine.trimStart();
  if (body === "") return "";
  const isSameIndent = fileLine !== undefined && indentOf(oldLine) === indentOf(newLine);
  const indent = isSameIndent ? indentOf(fileLine) : mapIndent(indentOf(newLine), indents);
  if (indent === undefined) return undefined;
  if (fileLine === undefined || oldLine.trim() === "") return indent + body;
  return indent + mergeLine(fileLine.trimStart(), oldLine.trimStart(), body, { fragment: false, midLine: false });
}
