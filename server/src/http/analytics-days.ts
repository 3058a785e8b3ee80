import type { DayRange } from "../analytics/report/reports.ts";
import { ApiError } from "../errors.ts";

const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * 60_000;

/** RFC 3339, section 5.6, and what ISO 8601 allows beyond it: no time, no seconds, no offset, a comma before the fraction. */
const PATTERN =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:[Zz]|([+\- ])(\d\d)(?::?(\d\d))?)?)?$/;

/**
 * The UTC day of a `YYYY-MM-DD` date or of the moment that an ISO 8601 timestamp names. Without an offset the time is
 * UTC. A space stands for `+`, which is what an unencoded plus sign in a query becomes.
 * @returns `YYYY-MM-DD`, or what the text must be instead, to put behind the name of its field.
 */
export function readDay(text: string): { day: string } | { refused: string } {
  const [matched, ...parts] = PATTERN.exec(text) ?? [];
  if (matched === undefined) {
    return { refused: "must be a day like 2026-01-31 or a timestamp like 2026-01-31T09:30:00Z" };
  }
  const [year, month, day, hour = "00", minute = "00", second = "00", sign, offsetHours = "00", offsetMinutes = "00"] =
    parts;
  const date = new Date(0);
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.toISOString().slice(0, 10) !== text.slice(0, 10)) {
    return { refused: "must name a day that the calendar has" };
  }
  if (hour > "23" || minute > "59" || second > "59") {
    return {
      refused:
        "must have a time from 00:00:00 to 23:59:59; the end of a day is 00:00 of the next, a leap second counts as the second before",
    };
  }
  if (offsetHours > "23" || offsetMinutes > "59") return { refused: "must have an offset up to 23:59" };

  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -1 : 1);
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  const utc = new Date(date.getTime() + Math.floor(minutes / DAY_MINUTES) * DAY_MS);
  const utcYear = utc.getUTCFullYear();
  if (utcYear < 0 || utcYear > 9999) return { refused: "must fall in the years 0000 to 9999 of UTC" };
  return { day: utc.toISOString().slice(0, 10) };
}

/**
 * The days that a report is asked for. Without `dateTo` they end with today.
 * @throws ApiError 400 that names each field with a fault.
 */
export function readDayRange(query: { dateFrom?: string; dateTo?: string }, now: Date): DayRange {
  const faults: string[] = [];
  const read = (name: "dateFrom" | "dateTo"): string | null => {
    const text = query[name];
    if (text === undefined) return null;
    const answer = readDay(text);
    if ("day" in answer) return answer.day;
    faults.push(`${name} ${answer.refused}`);
    return null;
  };
  const from = read("dateFrom");
  const to = read("dateTo");
  if (from !== null && to !== null && from > to) faults.push("dateFrom must not be after dateTo");
  const [first] = faults;
  if (first !== undefined) {
    throw new ApiError("invalid_request", { message: `${first}.`, details: faults.map((message) => ({ message })) });
  }
  if (to !== null) return { from, to };
  const tomorrow = new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10);
  // A range that starts after today is empty.
  return { from: from !== null && from > tomorrow ? tomorrow : from, to: tomorrow };
}
