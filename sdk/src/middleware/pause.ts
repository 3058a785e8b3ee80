/**
 * Waits, or less when the signal aborts; never rejects.
 * @param holdsProcess false: a process that has nothing else to do may end meanwhile.
 */
export type Pause = (milliseconds: number, options: { signal: AbortSignal; holdsProcess: boolean }) => Promise<void>;

export const pause: Pause = (milliseconds, { signal, holdsProcess }) =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
    // Timers are numbers in browsers and on some edges.
    if (!holdsProcess && typeof timer === "object") timer.unref();
  });
