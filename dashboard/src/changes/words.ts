import { diffWordsWithSpace } from "diff";
import type { PatchLine } from "./patch.ts";

export interface Piece {
  text: string;
  changed: boolean;
}

const CHARACTERS_MAX = 4000;
/** Lines with more changes than this have too little in common to point at words. */
const EDITS_MAX = 300;
const CHANGED_SHARE_MAX = 0.7;

function comparePair(removed: string, added: string): { removed: Piece[]; added: Piece[] } | undefined {
  if (removed.length > CHARACTERS_MAX || added.length > CHARACTERS_MAX) return undefined;
  const changes = diffWordsWithSpace(removed, added, { maxEditLength: EDITS_MAX });
  if (changes === undefined) return undefined;
  const kept = changes.reduce(
    (sum, change) => sum + (change.added || change.removed ? 0 : change.value.trim().length),
    0,
  );
  const longest = Math.max(removed.trim().length, added.trim().length, 1);
  if (1 - kept / longest > CHANGED_SHARE_MAX) return undefined;
  const side = (other: "added" | "removed") =>
    changes.flatMap((change) =>
      change[other] ? [] : [{ text: change.value, changed: change.added || change.removed }],
    );
  return { removed: side("added"), added: side("removed") };
}

/**
 * The words that differ between a removed line and the added line in its place, by line. Only where a block of removed
 * lines is followed by as many added ones, so that the lines belong together.
 */
export function markWords(lines: readonly PatchLine[]): Map<PatchLine, Piece[]> {
  const marked = new Map<PatchLine, Piece[]>();
  const changes = lines.filter(({ type }) => type !== "note");
  for (let at = 0; at < changes.length;) {
    const start = at;
    while (changes[at]?.type === "removed") at++;
    const middle = at;
    while (changes[at]?.type === "added") at++;
    if (middle - start === at - middle) {
      for (let index = start; index < middle; index++) {
        const removed = changes[index];
        const added = changes[index + middle - start];
        const pair = removed && added && comparePair(removed.text, added.text);
        if (pair) marked.set(removed, pair.removed).set(added, pair.added);
      }
    }
    if (at === start) at++;
  }
  return marked;
}
