/** Runs something again and again: soon after it is woken, and every so often anyway. */
export interface Rounds {
  start(): void;
  wake(): void;
  /** Runs it now, after one that is under way. */
  tick(): Promise<void>;
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

export interface RoundsOptions {
  /** Milliseconds from the end of one round to the next that was woken, at least. */
  pauseMs: number;
  /** The pause is at least this many times as long as the round took, so that long ones leave room for other work. */
  pausePerRound?: number;
  /** Milliseconds from the end of one round to the next that was not. */
  everyMs: number;
}

/** @param round reports its own failures; one that throws all the same ends nothing */
export function createRounds(
  round: () => Promise<void>,
  { pauseMs, pausePerRound = 0, everyMs }: RoundsOptions,
  onError: (error: unknown) => void,
): Rounds {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStarted = false;
  let isWoken = false;
  let isAwake = false;
  let lastTookMs = 0;

  function schedule(): void {
    clearTimeout(timer);
    const pause = Math.max(pauseMs, lastTookMs * pausePerRound);
    if (isStarted) timer = setTimeout(() => void tick(), isWoken ? pause : Math.max(pause, everyMs));
  }

  function tick(): Promise<void> {
    clearTimeout(timer);
    running = running
      .then(async () => {
        isWoken = false;
        isAwake = true;
        const began = performance.now();
        await round().finally(() => (lastTookMs = performance.now() - began));
      })
      .catch(onError)
      .finally(() => {
        isAwake = false;
        schedule();
      });
    return running;
  }

  return {
    start() {
      isStarted = true;
      isWoken = true;
      schedule();
    },
    wake() {
      if (isWoken) return;
      isWoken = true;
      if (!isAwake) schedule();
    },
    tick,
    async stop() {
      isStarted = false;
      clearTimeout(timer);
      await running;
    },
  };
}
