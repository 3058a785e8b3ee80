/** A count that goes up, and those who wait for it to get somewhere. */
export function createMilestones() {
  let reached = 0;
  let waiting: { at: number; pass: () => void }[] = [];
  return {
    reach(count: number): void {
      reached = count;
      for (const { pass } of waiting.filter(({ at }) => at <= count)) pass();
      waiting = waiting.filter(({ at }) => at > count);
    },
    /** Resolves once the count is there or beyond. */
    at(count: number): Promise<void> {
      if (count <= reached) return Promise.resolve();
      return new Promise((pass) => waiting.push({ at: count, pass }));
    },
  };
}
