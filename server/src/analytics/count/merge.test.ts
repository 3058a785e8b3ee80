import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseMerge } from "./merge.ts";

interface Sized {
  segment: number;
  rows: number;
}

const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1_000_000 })), {
  maxLength: 60,
});

const numbered = (rows: readonly number[]): Sized[] =>
  rows.map((each, index) => ({ segment: 100 + index, rows: each }));
const sum = (segments: readonly Sized[]): number => segments.reduce((total, { rows }) => total + rows, 0);

test("takes the newest segments without a gap, several or none", () => {
  fc.assert(
    fc.property(sizes, (rows) => {
      const segments = numbered(rows);
      const chosen = chooseMerge(segments);
      const newest = segments.slice(segments.length - chosen.length).map(({ segment }) => segment);
      expect(chosen).toEqual(newest);
      expect(chosen.length).not.toBe(1);
    }),
  );
});

test("leaves a large segment alone until the newer ones are a part of it", () => {
  const small = [1, 1, 1, 1];
  expect(chooseMerge(numbered([1_000_000, ...small]))).toEqual([101, 102, 103, 104]);
  expect(chooseMerge(numbered([3, ...small]))).toEqual([100, 101, 102, 103, 104]);
  expect(chooseMerge(numbered([1_000_000, 1]))).toEqual([]);
  expect(chooseMerge([])).toEqual([]);
});

/** The segments after each fold, merged as they are chosen, and how many rows that wrote. */
function foldAll(folds: readonly number[]): { segments: Sized[]; most: number; rewritten: number } {
  let segments: Sized[] = [];
  let most = 0;
  let rewritten = 0;
  for (const [index, rows] of folds.entries()) {
    segments.push({ segment: index, rows });
    const chosen = new Set(chooseMerge(segments));
    const merged = segments.filter(({ segment }) => chosen.has(segment));
    if (merged.length > 0) {
      rewritten += sum(merged);
      segments = [...segments.filter(({ segment }) => !chosen.has(segment)), { segment: index, rows: sum(merged) }];
    }
    most = Math.max(most, segments.length);
  }
  return { segments, most, rewritten };
}

/** A row is written again once as part of a new segment, and then only when its segment grows by an eighth. */
const GROWTH_MIN = 9 / 8;

test("no row is lost, each is written again only as its segment grows, and segments stay few", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 300 }), (folds) => {
      const { segments, most, rewritten } = foldAll(folds);
      const total = folds.reduce((all, rows) => all + rows, 0);
      expect(sum(segments)).toBe(total);
      expect(rewritten).toBeLessThanOrEqual(total * (1 + Math.log(total) / Math.log(GROWTH_MIN)));
      expect(most).toBeLessThanOrEqual(3 * (1 + Math.log2(total)));
    }),
  );
});

test("10,000 small folds leave a handful of segments", () => {
  const { segments, most, rewritten } = foldAll(Array.from({ length: 10_000 }, () => 100));
  expect(sum(segments)).toBe(1_000_000);
  expect(most).toBeLessThanOrEqual(40);
  expect(rewritten / 1_000_000).toBeLessThanOrEqual(60);
});
