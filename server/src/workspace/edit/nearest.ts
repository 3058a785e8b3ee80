import { splitLines } from "./lines.ts";

const SIMILARITY_MIN = 0.4;
const ANCHORS_MAX = 3;
const PLACES_MAX = 2;
const LINES_SHOWN_MAX = 8;
const LINE_LENGTH_MAX = 200;

function bigrams(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const form = text.trim().toLowerCase().slice(0, 400);
  for (let index = 0; index + 2 <= form.length; index += 1) {
    const pair = form.slice(index, index + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

/** The Sørensen-Dice coefficient of two lines' letter pairs, 0 to 1. */
function similarity(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  let all = 0;
  for (const [pair, count] of a) {
    common += Math.min(count, b.get(pair) ?? 0);
    all += count;
  }
  for (const count of b.values()) all += count;
  return all === 0 ? 0 : (2 * common) / all;
}

const show = (text: string) => (text.length > LINE_LENGTH_MAX ? `${text.slice(0, LINE_LENGTH_MAX)}…` : text);

/** The lines of `text` most like what was looked for, each as `<number>: <line>`; empty when nothing is like it. */
export function nearestLines(text: string, wanted: string): string[] {
  const lines = splitLines(text);
  const pairsOfLines = lines.map((line) => bigrams(line.text));
  // Numbers that were copied from a listing say nothing about the text.
  const wantedLines = splitLines(wanted.replaceAll(/^\s*\d+→/gm, "")).map((line) => line.text);
  const height = Math.min(wantedLines.length, LINES_SHOWN_MAX);
  const shown = new Set<number>();
  // The longest lines say most about the place.
  const anchors = wantedLines
    .map((anchor, at) => ({ anchor: anchor.trim(), at }))
    .filter(({ anchor }) => anchor !== "")
    .sort((a, b) => b.anchor.length - a.anchor.length || a.at - b.at)
    .slice(0, ANCHORS_MAX);
  for (const { anchor, at: anchorAt } of anchors) {
    const anchorPairs = bigrams(anchor);
    const best = lines
      .map((line, index) => ({
        index,
        score: line.text.trim() === anchor ? 1 : similarity(anchorPairs, pairsOfLines[index] ?? new Map()),
      }))
      .filter((line) => line.score >= SIMILARITY_MIN)
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, shown.size === 0 ? PLACES_MAX : 1);
    for (const { index } of best) {
      const before = Math.min(anchorAt, Math.floor(LINES_SHOWN_MAX / 2));
      for (let at = Math.max(0, index - before); at < Math.min(lines.length, index - before + height); at += 1) {
        shown.add(at);
      }
      shown.add(index);
    }
  }
  return [...shown].sort((a, b) => a - b).map((index) => `${index + 1}: ${show(lines[index]?.text ?? "")}`);
}
