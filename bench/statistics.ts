/** The value that a share of the values (0 to 1) does not exceed: nearest rank, no interpolation. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new RangeError("A percentile of no values.");
  return value;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** How long each of `count` runs took, one after another. */
export async function timeEach(count: number, task: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    await task(index);
    times.push(performance.now() - began);
  }
  return times;
}

/** Runs `count` tasks with `concurrency` of them under way at a time, and gives how many ended per second. */
export async function ratePerSecond(
  count: number,
  concurrency: number,
  task: (index: number) => Promise<unknown>,
): Promise<number> {
  const began = performance.now();
  await inParallel(count, concurrency, task);
  return count / ((performance.now() - began) / 1000);
}

export async function inParallel(
  count: number,
  concurrency: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await task(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, lane));
}

export function formatMs(milliseconds: number): string {
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}

export function formatMb(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024).toLocaleString("en")} MB`;
}
