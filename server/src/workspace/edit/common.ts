/** Above this many pairs only what is equal at both ends is kept; the table would grow too large. */
const PAIRS_MAX = 1_000_000;

/** Pairs of equal elements, in order, by their indexes: a longest common subsequence. */
export function commonPairs(a: readonly string[], b: readonly string[]): [number, number][] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const pairs: [number, number][] = Array.from({ length: head }, (_, index) => [index, index]);
  const rows = a.length - head - tail;
  const columns = b.length - head - tail;
  if (rows > 0 && columns > 0 && rows * columns <= PAIRS_MAX) {
    const width = columns + 1;
    const lengths = new Uint32Array((rows + 1) * width);
    const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
    for (let row = rows - 1; row >= 0; row -= 1) {
      for (let column = columns - 1; column >= 0; column -= 1) {
        lengths[row * width + column] =
          a[head + row] === b[head + column]
            ? at(row + 1, column + 1) + 1
            : Math.max(at(row + 1, column), at(row, column + 1));
      }
    }
    for (let row = 0, column = 0; row < rows && column < columns;) {
      if (a[head + row] === b[head + column]) pairs.push([head + row++, head + column++]);
      else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
      else column += 1;
    }
  }
  for (let index = tail; index > 0; index -= 1) pairs.push([a.length - index, b.length - index]);
  return pairs;
}
