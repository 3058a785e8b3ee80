import { EventEmitter, once } from "node:events";
import type { Pause } from "../pause.ts";

export interface TestPauses {
  pause: Pause;
  /** Milliseconds of all pauses so far. */
  lengths: number[];
  /** Waits until somebody pauses, for a length that is wanted, ends that pause, and tells its length. */
  endNext(isWanted?: (milliseconds: number) => boolean): Promise<number>;
}

/** Pauses that last until the test ends them, or until their signal does. */
export function createPauses(): TestPauses {
  const lengths: number[] = [];
  const open: { milliseconds: number; end: () => void }[] = [];
  const events = new EventEmitter();
  return {
    lengths,
    pause: (milliseconds, { signal }) =>
      new Promise((resolve) => {
        lengths.push(milliseconds);
        if (signal.aborted) {
          resolve();
          return;
        }
        const entry = {
          milliseconds,
          end: () => {
            const index = open.indexOf(entry);
            if (index !== -1) open.splice(index, 1);
            resolve();
          },
        };
        signal.addEventListener("abort", entry.end, { once: true });
        open.push(entry);
        events.emit("pause");
      }),
    async endNext(isWanted = () => true) {
      for (;;) {
        const entry = open.find(({ milliseconds }) => isWanted(milliseconds));
        if (entry !== undefined) {
          entry.end();
          return entry.milliseconds;
        }
        await once(events, "pause");
      }
    },
  };
}
