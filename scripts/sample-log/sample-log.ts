import { formatHit, type Hit } from "./line.ts";
import { readAsAssistants, readAsCrawlers, readAsOthers } from "./machines.ts";
import { createPeople, readAsPeople } from "./people.ts";
import { createRandom } from "./random.ts";

const DAY_SECONDS = 86_400;

export interface SampleLogOptions {
  seed: number;
  /** `YYYY-MM-DD` in UTC: the last day in the log. */
  lastDay: string;
  days: number;
}

/** The log of the examples: five weeks of the documentation of Lantern. */
export const SAMPLE: SampleLogOptions = { seed: 20_261_031, lastDay: "2026-01-31", days: 35 };

/** A made-up access log in nginx's combined format: the same text for the same options. */
export function writeSampleLog({ seed, lastDay, days }: SampleLogOptions): string {
  const random = createRandom(seed);
  const people = createPeople(random);
  const last = Date.parse(`${lastDay}T00:00:00Z`) / 1000;
  const hits: Hit[] = [];
  for (let number = 0; number < days; number += 1) {
    const day = last - (days - 1 - number) * DAY_SECONDS;
    const weekday = new Date(day * 1000).getUTCDay();
    const isWorkday = weekday > 0 && weekday < 6;
    hits.push(...readAsPeople(random, people, day, isWorkday));
    hits.push(...readAsAssistants(random, day, isWorkday));
    hits.push(...readAsCrawlers(random, day, number));
    hits.push(...readAsOthers(random, day));
  }
  // The sort is stable: what came in one second stays in its order.
  return hits
    .toSorted((a, b) => a.time - b.time)
    .map(formatHit)
    .join("");
}
