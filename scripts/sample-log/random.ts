/** Random numbers that are the same on every machine. */
export interface Random {
  /** An integer from 0 up to and without `below`. */
  integer(below: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** One of the values, by their weights. */
  weighted<T>(values: readonly (readonly [value: T, weight: number])[]): T;
}

/** Mulberry32 (https://gist.github.com/tommyettinger/46a874533244883189143505d203312c): integers only, so that no rounding differs. */
export function createRandom(seed: number): Random {
  let state = seed | 0;

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(next() * values.length)];
    if (value === undefined) throw new Error("There is nothing to pick from.");
    return value;
  }

  return {
    integer: (below) => Math.floor(next() * below),
    chance: (probability) => next() < probability,
    pick,
    weighted(values) {
      let left = next() * values.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of values) {
        left -= weight;
        if (left < 0) return value;
      }
      return pick(values)[0];
    },
  };
}
