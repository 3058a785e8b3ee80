import { lineNumbersAt } from "./lines.ts";
import type { Region } from "./region.ts";

/**
 * Where a replacement meets the text around it, lines can be joined, torn apart or left without their indentation by
 * one line end too few or too many. Such an edit is refused when it may not be meant; undefined when it is sound.
 */
export function seamDefect(
  text: string,
  region: Region,
  written: string,
  edit: { old: string; new: string },
): string | undefined {
  const before = text.slice(0, region.start);
  const found = text.slice(region.start, region.end);
  const after = text.slice(region.end);
  const lineAt = (offset: number) => lineNumbersAt(text, [offset])[0] ?? 1;
  const atLineStart = before === "" || before.endsWith("\n");

  if (found.endsWith("\n") && after !== "") {
    const isJoined = written === "" ? !atLineStart : !/\s$/.test(written);
    if (isJoined) {
      return `\`old\` ends with a line end and \`new\` does not, so that line ${lineAt(region.end)} would be joined to the text before it. End both with a line end, or neither.`;
    }
  }
  if (/^\r?\n/.test(found) && !atLineStart) {
    const isJoined = written === "" ? after !== "" && !/^\r?\n/.test(after) : !/^\s/.test(written);
    if (isJoined && !(written === "" && found.endsWith("\n"))) {
      return `\`old\` begins with a line end and \`new\` does not, so that the new text would be joined to line ${lineAt(region.start)}. Begin both with a line end, or neither.`;
    }
  }
  const splits =
    /^\r?\n[^\r\n]/.test(after) &&
    !found.endsWith("\n") &&
    /[^\n]\r?\n$/.test(written) &&
    edit.new.trimEnd() !== edit.old.trimEnd();
  if (splits) {
    return `\`new\` ends with a line end and \`old\` does not, so that a blank line would come before line ${lineAt(region.end) + 1}. End both with a line end, or neither.`;
  }
  return indentDefect(text, region, edit, lineAt);
}

/** The first line's indentation is outside of `old`, and the lines that `new` adds have none of it. */
function indentDefect(
  text: string,
  region: Region,
  edit: { old: string; new: string },
  lineAt: (offset: number) => number,
): string | undefined {
  const outside = text.slice(text.lastIndexOf("\n", region.start - 1) + 1, region.start);
  if (outside === "" || outside.trim() !== "" || edit.old.trimEnd().includes("\n")) return undefined;
  const indent = outside + (/^[ \t]*/.exec(edit.old)?.[0] ?? "");
  const added = edit.new
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line.trim() !== "");
  if (added.length === 0 || added.some((line) => line.startsWith(indent))) return undefined;
  return `\`old\` leaves out the indentation of line ${lineAt(region.start)} (${indent.length} characters), and the lines that \`new\` adds have less. Give \`old\` and \`new\` with the whole indentation, so that it is certain where the lines belong.`;
}
