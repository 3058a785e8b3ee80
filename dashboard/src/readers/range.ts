const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

export const PRESETS = [
  { name: "today", label: "Today" },
  { name: "7-days", label: "Last 7 days" },
  { name: "28-days", label: "Last 28 days" },
  { name: "90-days", label: "Last 90 days" },
  { name: "this-month", label: "This month" },
  { name: "last-month", label: "Last month" },
  { name: "all", label: "All time" },
] as const;

export type PresetName = (typeof PRESETS)[number]["name"];

/** Days in UTC as `YYYY-MM-DD`: from `from` (null: since the first visit) up to and without `to`. */
export interface Range {
  preset: PresetName | "own";
  from: string | null;
  to: string;
}

/** The range that a page's address names, in `range` or in `from` and `to` (its last day); 28 days when it names none. */
export function readRange(address: URLSearchParams, today: string): Range {
  const [from, last] = [address.get("from"), address.get("to")];
  if (from !== null && last !== null && isDay(from) && isDay(last) && from <= last) {
    return { preset: "own", from, to: addDays(last, 1) };
  }
  const named = PRESETS.find(({ name }) => name === address.get("range"));
  return presetRange(named?.name ?? "28-days", today);
}

export function presetRange(preset: PresetName, today: string): Range {
  const tomorrow = addDays(today, 1);
  const firstOfMonth = `${today.slice(0, 8)}01`;
  switch (preset) {
    case "today":
      return { preset, from: today, to: tomorrow };
    case "7-days":
      return { preset, from: addDays(tomorrow, -7), to: tomorrow };
    case "28-days":
      return { preset, from: addDays(tomorrow, -28), to: tomorrow };
    case "90-days":
      return { preset, from: addDays(tomorrow, -90), to: tomorrow };
    case "this-month":
      return { preset, from: firstOfMonth, to: tomorrow };
    case "last-month":
      return { preset, from: `${addDays(firstOfMonth, -1).slice(0, 8)}01`, to: firstOfMonth };
    case "all":
      return { preset, from: null, to: tomorrow };
  }
}

/** The days just before a range, as many as it has; null before the first visit of all. */
export function rangeBefore({ from, to }: Range): { from: string; to: string } | null {
  return from === null ? null : { from: addDays(from, -countDays(from, to)), to: from };
}

/** As the service's reports take it. */
export function reportDays({ from, to }: { from: string | null; to: string }): { dateFrom?: string; dateTo: string } {
  return { ...(from === null ? {} : { dateFrom: from }), dateTo: to };
}

export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** Each day from `from` up to and without `to`. */
export function listDays(from: string, to: string): string[] {
  return Array.from({ length: Math.max(0, countDays(from, to)) }, (_, index) => addDays(from, index));
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The day that it is in UTC. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

function isDay(text: string): boolean {
  if (!DAY.test(text) || Number.isNaN(Date.parse(text))) return false;
  // The months that JavaScript takes have 31 days each.
  return new Date(text).toISOString().slice(0, 10) === text;
}

const long = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });
const short = new Intl.DateTimeFormat(undefined, { timeZone: "UTC", day: "numeric", month: "short" });

export function formatDay(day: string): string {
  return long.format(new Date(day));
}

export function formatShortDay(day: string): string {
  return short.format(new Date(day));
}

/** "26 Oct – 22 Nov 2026", in the person's own way of writing. */
export function formatRange({ from, to }: { from: string | null; to: string }): string {
  const last = addDays(to, -1);
  if (from === null) return `Up to ${formatDay(last)}`;
  return long.formatRange(new Date(from), new Date(last));
}
