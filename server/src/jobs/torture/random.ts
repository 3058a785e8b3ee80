/** Numbers in [0, 1) that a seed repeats: mulberry32, by Tommy Ettinger, public domain. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** At least `low`, less than `high`. */
    between: (low: number, high: number): number => low + next() * (high - low),
    /** True this often. */
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(items: readonly T[]): T | undefined => items[Math.floor(next() * items.length)],
  };
}

export type Random = ReturnType<typeof createRandom>;
