import { BROWSERS } from "./clients.ts";
import type { Hit } from "./line.ts";
import type { Random } from "./random.ts";
import {
  IMAGES,
  MISSING_OF_PEOPLE,
  ORIGIN,
  pageBytes,
  REDIRECTS,
  REFERRERS,
  STYLES_AND_SCRIPTS,
  WEIGHTED_PAGES,
} from "./site.ts";

const PEOPLE = 620;
const DAY_SECONDS = 86_400;
/** Of each hour in UTC, for readers in Europe and America. */
const HOURS: readonly (readonly [hour: number, weight: number])[] = [
  1, 1, 1, 1, 1, 2, 4, 8, 12, 13, 12, 10, 10, 13, 14, 14, 13, 11, 9, 8, 6, 4, 3, 2,
].map((weight, hour) => [hour, weight]);

interface Person {
  address: string;
  userAgent: string;
  /** How likely a day of reading is; few come often. */
  eagerness: number;
  hasVisited: boolean;
}

/** People with browsers. Some share an office's address, some have IPv6. */
export function createPeople(random: Random): Person[] {
  return Array.from({ length: PEOPLE }, () => ({
    address: createAddress(random),
    userAgent: random.weighted(BROWSERS),
    eagerness: random.weighted([
      [0.02, 60],
      [0.08, 28],
      [0.3, 12],
    ]),
    hasVisited: false,
  }));
}

/** Addresses for documentation: RFC 5737 and RFC 3849. */
function createAddress(random: Random): string {
  const kind = random.integer(10);
  // An office with many desks.
  if (kind === 0) return `192.0.2.${10 + random.integer(4)}`;
  if (kind < 6) return `203.0.113.${1 + random.integer(254)}`;
  if (kind < 8) return `198.51.100.${1 + random.integer(200)}`;
  const hex = (): string => random.integer(65_536).toString(16);
  return `2001:db8:${hex()}:${hex()}::${hex()}`;
}

/** What people read on a day. */
export function readAsPeople(random: Random, people: readonly Person[], day: number, isWorkday: boolean): Hit[] {
  const hits: Hit[] = [];
  for (const person of people) {
    if (!random.chance(person.eagerness * (isWorkday ? 1 : 0.25))) continue;
    const start = day + random.weighted(HOURS) * 3600 + random.integer(3600);
    hits.push(...readSession(random, person, start));
  }
  return hits.filter(({ time }) => time < day + DAY_SECONDS);
}

function readSession(random: Random, person: Person, start: number): Hit[] {
  const { address, userAgent } = person;
  const hits: Hit[] = [];
  const hit = (path: string, status: number, bytes: number, referrer: string): void => {
    hits.push({ time, address, userAgent, path, status, bytes, referrer });
  };
  let time = start;
  let referrer: string = random.weighted(REFERRERS);
  const pages = 1 + random.integer(random.chance(0.3) ? 7 : 3);
  for (let read = 0; read < pages; read += 1) {
    let page = random.weighted(WEIGHTED_PAGES);
    if (random.chance(0.02)) {
      const [from, to] = random.pick(REDIRECTS);
      hit(from, 301, 178, referrer);
      page = to;
    }
    if (random.chance(0.025)) {
      const missing = random.pick(MISSING_OF_PEOPLE);
      hit(missing, 404, 6_204, referrer);
      referrer = ORIGIN + missing;
      time += 4 + random.integer(20);
    }
    const isKnown = person.hasVisited && random.chance(0.3);
    hit(page, isKnown ? 304 : 200, isKnown ? 0 : pageBytes(page), referrer);
    referrer = ORIGIN + page;
    if (!person.hasVisited) for (const [path, bytes] of STYLES_AND_SCRIPTS) hit(path, 200, bytes, referrer);
    const image = IMAGES[page];
    if (image !== undefined) hit(image, 200, 7_420, referrer);
    // The page's "Copy as Markdown" button.
    if (random.chance(0.04)) {
      time += 5 + random.integer(30);
      hit(`${page === "/" ? "/index" : page}.md`, 200, Math.floor(pageBytes(page) / 3), referrer);
    }
    person.hasVisited = true;
    time += 15 + random.integer(240);
  }
  return hits;
}
