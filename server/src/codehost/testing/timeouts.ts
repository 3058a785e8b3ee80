import { vi } from "vitest";

export interface HeldTimeouts {
  /** Lets the time of everything that waits now run out. */
  pass(): void;
  /** From here on time runs as it does. */
  release(): void;
}

/** Keeps every `AbortSignal.timeout()` from running out by itself, so that a test decides when it does. */
export function holdTimeouts(): HeldTimeouts {
  const waiting: AbortController[] = [];
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const controller = new AbortController();
    waiting.push(controller);
    return controller.signal;
  });
  return {
    pass() {
      for (const each of waiting.splice(0)) each.abort(new DOMException("The time ran out.", "TimeoutError"));
    },
    release: () => spy.mockRestore(),
  };
}
