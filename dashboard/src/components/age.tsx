import { Tooltip } from "@mantine/core";
import { useNow } from "./now.ts";

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** How long ago (or in how long), in words. */
export function describeAge(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) < length) continue;
    // What was just given a week ends in 7 days, not in 6.
    const count = seconds / length;
    return relative.format(seconds > 0 ? Math.round(count) : Math.trunc(count), unit);
  }
  return seconds > 0 ? "in a moment" : "just now";
}

/** A moment as its age, with the moment itself on hover and focus. */
export function Age({ at }: { at: string }) {
  const now = useNow();
  const date = new Date(at);
  return (
    <Tooltip label={absolute.format(date)}>
      <time dateTime={at}>{describeAge(date, now)}</time>
    </Tooltip>
  );
}
