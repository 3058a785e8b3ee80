import { setImmediate } from "node:timers/promises";

const SLICE_MS = 10;

/** To be awaited between small pieces of work: lets the event loop on every 10 ms. @throws the signal's reason. */
export function createTimeSlices(signal: AbortSignal | undefined): () => Promise<void> | undefined {
  let start = performance.now();
  const pause = async (): Promise<void> => {
    await setImmediate();
    signal?.throwIfAborted();
    start = performance.now();
  };
  return () => (performance.now() - start < SLICE_MS ? undefined : pause());
}
