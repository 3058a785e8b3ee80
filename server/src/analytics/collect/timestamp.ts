const DAY_MS = 86_400_000;
/** 1971-01-01: ClickHouse's `Date` begins with 1970, and a day before the first must still be one. */
const EARLIEST_MS = Date.UTC(1971, 0, 1);
const AHEAD_MS_MAX = 10 * 60_000;

const ISO_8601 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** Reads ISO 8601 with a time zone, a date (its first moment in UTC), or milliseconds since 1970. */
export function readTimestamp(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? Math.floor(value) : undefined;
  if (typeof value !== "string" || !ISO_8601.test(value)) return undefined;
  const day = Number(value.slice(8, 10));
  // `Date` takes the 31st of every month.
  if (day > 28 && day > daysOf(Number(value.slice(0, 4)), Number(value.slice(5, 7)))) return undefined;
  return Date.parse(value);
}

/** How many days a month has, given by its number from 1. */
function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The times at which a view may have been. */
export interface TimeLimits {
  /** The first moment of the first day that the project keeps. */
  retainedFrom: number;
  latest: number;
}

/** @param retentionDays how many days are kept, today included; undefined for all. */
export function timeLimits(now: number, retentionDays: number | undefined): TimeLimits {
  const today = now - (now % DAY_MS);
  return {
    retainedFrom: retentionDays === undefined ? EARLIEST_MS : today - (retentionDays - 1) * DAY_MS,
    latest: now + AHEAD_MS_MAX,
  };
}

/** What speaks against a view at this time; undefined for nothing. */
export function findTimeFault(
  time: number,
  limits: TimeLimits,
): "timestamp_in_future" | "timestamp_before_1971" | "timestamp_before_retention" | undefined {
  if (time > limits.latest) return "timestamp_in_future";
  if (time < EARLIEST_MS) return "timestamp_before_1971";
  return time < limits.retainedFrom ? "timestamp_before_retention" : undefined;
}
