/** How long a model may take, in milliseconds. */
export interface AnswerTimes {
  /** Until the first sign of life. */
  startMs: number;
  /** Between two of them. */
  pauseMs: number;
  /** The answer as a whole. */
  answerMs: number;
}

/** A model said nothing for too long, or would not come to an end. */
export class ModelTimeoutError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ModelTimeoutError";
  }
}

export interface Watchdog {
  /** Aborts with a ModelTimeoutError. */
  signal: AbortSignal;
  /** The model gave a sign of life. */
  alive(): void;
  stop(): void;
}

/** Watches over one answer from now on; stop it when the answer is there. */
export function createWatchdog({ startMs, pauseMs, answerMs }: AnswerTimes): Watchdog {
  const controller = new AbortController();
  const giveUp = (message: string) => () => controller.abort(new ModelTimeoutError(message));
  const whole = setTimeout(giveUp(`The model did not finish its answer within ${inSeconds(answerMs)}.`), answerMs);
  const tooLate = giveUp(`The model did not begin its answer within ${inSeconds(startMs)}.`);
  const tooLong = giveUp(`The model fell silent in the middle of its answer for ${inSeconds(pauseMs)}.`);
  let silence = setTimeout(tooLate, startMs);
  return {
    signal: controller.signal,
    alive() {
      clearTimeout(silence);
      silence = setTimeout(tooLong, pauseMs);
    },
    stop() {
      clearTimeout(whole);
      clearTimeout(silence);
    },
  };
}

function inSeconds(ms: number): string {
  return `${ms / 1000} seconds`;
}
