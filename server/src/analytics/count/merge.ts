/** Fewer than these are left as they are: each costs a report about a millisecond. */
const MERGED_MIN = 4;

interface Sized {
  segment: number;
  rows: number;
}

/**
 * Which segments to make one: the newest that are of a size, so that a row is written again only as often as its segment
 * doubles. None when they are few.
 * @param segments oldest first
 */
export function chooseMerge(segments: readonly Sized[]): number[] {
  let first = segments.length;
  let rows = 0;
  while (first > 0) {
    const next = segments[first - 1];
    if (next === undefined || (rows > 0 && next.rows > 2 * rows)) break;
    rows += next.rows;
    first -= 1;
  }
  const newest = segments.slice(first);
  return newest.length >= MERGED_MIN ? newest.map(({ segment }) => segment) : [];
}
