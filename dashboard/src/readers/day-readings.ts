import type { Counts, TimeseriesReport } from "@docent/sdk";
import type { Metric } from "./queries.ts";
import { addDays, listDays } from "./range.ts";

export interface DayReading extends Counts {
  day: string;
}

const NOBODY: Counts = { human: 0, ai: 0, total: 0 };

/**
 * Every day of a range, those on which nobody came included: the report leaves them out. A range without a first day begins
 * with the first visit, and days to come are not there yet.
 */
export function readDays(
  days: TimeseriesReport["days"],
  { from, to, today }: { from: string | null; to: string; today: string },
  metric: Metric,
): DayReading[] {
  const found = new Map(days.map((each) => [each.day, each[metric]]));
  const first = from ?? days[0]?.day;
  const tomorrow = addDays(today, 1);
  if (first === undefined) return [];
  return listDays(first, to < tomorrow ? to : tomorrow).map((day) => ({ day, ...(found.get(day) ?? NOBODY) }));
}
