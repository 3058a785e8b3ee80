import { useSyncExternalStore } from "react";

const RETRY_MS = 2_000;
/** A question that gets no answer at all, as behind a connection that went dead, is asked again. */
const ANSWER_MS_MAX = 5_000;
/** What proxies answer when the service behind them is gone. */
const GONE: readonly number[] = [502, 504];

/** Knows whether the service answers. While it does not, it asks every two seconds until it does. */
function createConnection() {
  let isUp = true;
  let losses = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  function set(up: boolean): void {
    if (up === isUp) return;
    isUp = up;
    if (!up) losses++;
    for (const listener of listeners) listener();
    if (!up) ask();
  }

  async function answers(): Promise<boolean> {
    return await globalThis.fetch("/healthz", { signal: AbortSignal.timeout(ANSWER_MS_MAX) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  function ask(): void {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (await answers()) set(true);
      else ask();
    }, RETRY_MS);
  }

  return {
    isUp: () => isUp,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Asks now; when the service is away, resolves once it is back. Whether it was away. */
    async untilUp(): Promise<boolean> {
      if (await answers()) return false;
      set(false);
      await new Promise<void>((resolve) => {
        const listener = (): void => {
          if (!isUp) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      });
      return true;
    },
    /** `fetch`, watched. */
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const lossesBefore = losses;
      try {
        const response = await globalThis.fetch(input, init);
        const answered = !GONE.includes(response.status);
        // What was asked before the service went away can still be answered after it did.
        if (!answered || losses === lossesBefore) set(answered);
        return response;
      } catch (error) {
        if (init?.signal?.aborted !== true) set(false);
        throw error;
      }
    },
  };
}

export const connection = createConnection();

export function useConnection(): boolean {
  return useSyncExternalStore(connection.subscribe, connection.isUp);
}
