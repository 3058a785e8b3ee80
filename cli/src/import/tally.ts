import type { Block } from "./formats/format.ts";
import { maskLine } from "./mask.ts";

/** Lines of each reason that are shown. */
const EXAMPLES_MAX = 3;

export interface Rejected {
  code: string;
  /** In words, where the code is the service's. */
  message?: string;
  count: number;
  examples: string[];
}

/** What became of lines. */
export interface Tally {
  lines: number;
  views: number;
  rejected: Map<string, Rejected>;
}

export function createTally(): Tally {
  return { lines: 0, views: 0, rejected: new Map() };
}

export function rejectLine(tally: Tally, code: string, block: Block, start: number, end: number): void {
  const rejected = reasonOf(tally, code);
  rejected.count += 1;
  if (rejected.examples.length >= EXAMPLES_MAX) return;
  // Enough of it to be recognised.
  rejected.examples.push(maskLine(block.bytes.toString("utf8", start, Math.min(end, start + 1_000))));
}

export function reject(tally: Tally, code: string, given: { message: string; count: number; example: string }): void {
  const rejected = reasonOf(tally, code);
  rejected.message = given.message;
  rejected.count += given.count;
  if (rejected.examples.length < EXAMPLES_MAX) rejected.examples.push(maskLine(given.example));
}

export function addTally(sum: Tally, part: Tally): void {
  sum.lines += part.lines;
  sum.views += part.views;
  for (const [code, { message, count, examples }] of part.rejected) {
    const rejected = reasonOf(sum, code);
    if (message !== undefined) rejected.message = message;
    rejected.count += count;
    rejected.examples.push(...examples.slice(0, EXAMPLES_MAX - rejected.examples.length));
  }
}

function reasonOf(tally: Tally, code: string): Rejected {
  let rejected = tally.rejected.get(code);
  if (rejected === undefined) tally.rejected.set(code, (rejected = { code, count: 0, examples: [] }));
  return rejected;
}
