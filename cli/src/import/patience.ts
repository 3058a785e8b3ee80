import { DocentError } from "@docent/sdk";

/** For how long a service may be away, as it is while it starts again. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 500;
const PAUSE_MS_MAX = 10_000;

export interface PatienceDependencies {
  now: () => Date;
  pause: (milliseconds: number) => Promise<void>;
  /** Called before each pause. */
  onWait: (reason: string) => void;
}

/** Asks the service again while it is away or busy. @throws what it answers else, or still answers after two minutes. */
export async function askPatiently<Answer>(
  ask: () => Promise<Answer>,
  { now, pause, onWait }: PatienceDependencies,
): Promise<Answer> {
  const givesUpAt = now().getTime() + PATIENCE_MS;
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof DocentError)) throw error;
      const wait = error.retryAfter === undefined ? pauseMs : error.retryAfter * 1000;
      if (!isTransient(error) || now().getTime() + wait > givesUpAt) throw error;
      onWait(error.message);
      await pause(wait);
    }
  }
}

function isTransient(error: DocentError): boolean {
  return error.code === "unreachable" || [429, 502, 503, 504].includes(error.status);
}
