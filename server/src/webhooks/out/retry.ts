const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits after the first to the seventh attempt: the eighth and last comes about a day after the first. */
const WAITS_MS = [5 * SECOND, MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, 12 * HOUR];
/** Added at random, so that what failed together does not come back together. */
const JITTER = 0.2;
const RETRY_AFTER_MS_MAX = 24 * HOUR;

/**
 * How long to wait after a failed attempt, in milliseconds; null when it was the last.
 * @param attempts how many there have been
 * @param retryAfterMs what the receiver asks for; the longer of the two waits counts
 */
export function waitAfter(attempts: number, retryAfterMs: number | null, random: () => number): number | null {
  const wait = WAITS_MS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (1 + JITTER * random()), Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}

/** `Retry-After` in milliseconds from `now`: seconds or a date (RFC 9110, 10.2.3). Null when it is neither. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
