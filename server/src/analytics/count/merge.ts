/** Fewer than these are left as they are. */
const MERGED_MIN = 3;
/** How much larger the next segment may be to be written again with the newer ones. Each segment costs a report most of a millisecond. */
const GROWTH_MAX = 8;

interface Sized {
  segment: number;
  rows: number;
}

/**
 * Which segments to make one: the newest that are of a size, so that a row is written again only as often as its segment
 * grows by a part. None when they are few.
 * @param segments oldest first
 */
export function chooseMerge(segments: readonly Sized[]): number[] {
  let first = segments.length;
  let rows = 0;
  while (first > 0) {
    const next = segments[first - 1];
    if (next === undefined || (rows > 0 && next.rows > GROWTH_MAX * rows)) break;
    rows += next.rows;
    first -= 1;
  }
  const newest = segments.slice(first);
  return newest.length >= MERGED_MIN ? newest.map(({ segment }) => segment) : [];
}
