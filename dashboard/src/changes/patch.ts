export interface PatchLine {
  type: "context" | "added" | "removed" | "note";
  /** 1-based, on the side where the line is. */
  oldNumber: number | null;
  newNumber: number | null;
  text: string;
}

export interface PatchHunk {
  /** What git says to find the place: the heading or function that the hunk is in. */
  context: string;
  lines: PatchLine[];
}

/** The hunks of one file's part of a unified diff; none for a binary file or a mere rename. */
export function parseHunks(part: string): PatchHunk[] {
  const hunks: PatchHunk[] = [];
  let oldNumber = 0;
  let newNumber = 0;
  for (const line of part.replace(/\n$/, "").split("\n")) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(line);
    if (header !== null) {
      oldNumber = Number(header[1]);
      newNumber = Number(header[2]);
      hunks.push({ context: header[3] ?? "", lines: [] });
      continue;
    }
    const lines = hunks.at(-1)?.lines;
    if (lines === undefined) continue;
    const text = line.slice(1).replace(/\r$/, "");
    if (line.startsWith("+")) lines.push({ type: "added", oldNumber: null, newNumber: newNumber++, text });
    else if (line.startsWith("-")) lines.push({ type: "removed", oldNumber: oldNumber++, newNumber: null, text });
    else if (line.startsWith("\\")) lines.push({ type: "note", oldNumber: null, newNumber: null, text: text.trim() });
    else lines.push({ type: "context", oldNumber: oldNumber++, newNumber: newNumber++, text });
  }
  return hunks;
}
