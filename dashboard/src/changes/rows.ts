import type { PatchLine } from "./patch.ts";

/** One row of two columns: what was, and what is in its place. */
export interface Row {
  old: PatchLine | null;
  new: PatchLine | null;
}

/** Lays the lines of a hunk out in two columns: the removed lines of a block beside its added ones. */
export function pairLines(lines: readonly PatchLine[]): Row[] {
  const rows: Row[] = [];
  let removed: PatchLine[] = [];
  let added: PatchLine[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      rows.push({ old: removed[index] ?? null, new: added[index] ?? null });
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.type === "removed") {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.type === "added") {
      added.push(line);
    } else if (line.type === "note") {
      // "No newline at end of file" is of the line before it.
      const side = added.length > 0 ? added : removed;
      if (side.length > 0) side.push(line);
      else rows.push({ old: line, new: line });
    } else {
      flush();
      rows.push({ old: line, new: line });
    }
  }
  flush();
  return rows;
}
