import { ASSISTANTS, CRAWLERS, MONITOR, SCANNERS } from "./clients.ts";
import type { Hit } from "./line.ts";
import type { Random } from "./random.ts";
import { MISSING_OF_AGENTS, pageBytes, PAGES, WEIGHTED_PAGES } from "./site.ts";

const ASSISTANT_VISITS_OF_A_WORKDAY = 26;
const DAY_SECONDS = 86_400;
const PROBED: readonly string[] = ["/wp-login.php", "/.env", "/.git/config", "/xmlrpc.php", "/admin/"];

const isRoot = (page: string): boolean => page === "/";
const markdownOf = (page: string): string => `${isRoot(page) ? "/index" : page}.md`;

/** Agents that somebody has just asked something. */
export function readAsAssistants(random: Random, day: number, isWorkday: boolean): Hit[] {
  const hits: Hit[] = [];
  const visits = Math.floor(ASSISTANT_VISITS_OF_A_WORKDAY * (isWorkday ? 1 : 0.5)) + random.integer(9);
  const weighted = ASSISTANTS.map((assistant) => [assistant, assistant.weight] as const);
  for (let visit = 0; visit < visits; visit += 1) {
    const { userAgent, isMarkdown } = random.weighted(weighted);
    // Hosted assistants have a few addresses; those on people's machines have these people's.
    const address = isMarkdown ? `203.0.113.${1 + random.integer(120)}` : `198.51.100.${220 + random.integer(24)}`;
    let time = day + random.integer(DAY_SECONDS - 60);
    const hit = (path: string, status: number, bytes: number): void => {
      hits.push({ time, address, userAgent, path, status, bytes });
      time += 1 + random.integer(4);
    };
    if (random.chance(isMarkdown ? 0.35 : 0.08)) hit("/llms.txt", 200, 3_912);
    if (random.chance(0.12)) {
      const missing = random.pick(MISSING_OF_AGENTS);
      hit(isMarkdown ? `${missing}.md` : missing, 404, 6_204);
    }
    const pages = 1 + random.integer(3);
    for (let read = 0; read < pages; read += 1) {
      const page = random.weighted(WEIGHTED_PAGES);
      if (isMarkdown) hit(markdownOf(page), 200, Math.floor(pageBytes(page) / 3));
      else hit(page, 200, pageBytes(page));
    }
  }
  return hits;
}

/** Crawlers of search engines and of AI companies, each in its own rhythm. */
export function readAsCrawlers(random: Random, day: number, dayNumber: number): Hit[] {
  const hits: Hit[] = [];
  for (const [index, { userAgent, everyDays, pagesPerVisit }] of CRAWLERS.entries()) {
    if ((dayNumber + index * 3) % everyDays !== 0) continue;
    const address = `192.0.2.${100 + index * 4 + random.integer(4)}`;
    let time = day + random.integer(DAY_SECONDS - 3_600);
    const first = random.integer(PAGES.length);
    hits.push({ time, address, userAgent, path: "/robots.txt", status: 200, bytes: 91 });
    if (pagesPerVisit > 20)
      hits.push({ time: time + 1, address, userAgent, path: "/sitemap.xml", status: 200, bytes: 4_480 });
    for (let read = 0; read < Math.min(pagesPerVisit, PAGES.length); read += 1) {
      time += 2 + random.integer(60);
      const page = PAGES[(first + read) % PAGES.length] ?? "/";
      hits.push({ time, address, userAgent, path: page, status: 200, bytes: pageBytes(page) });
    }
  }
  return hits.filter(({ time }) => time < day + DAY_SECONDS);
}

/** What else there is in every log. */
export function readAsOthers(random: Random, day: number): Hit[] {
  const hits: Hit[] = [];
  for (let hour = 0; hour < 24; hour += 2) {
    const time = day + hour * 3_600 + 17;
    hits.push({ time, address: "192.0.2.250", userAgent: MONITOR, method: "HEAD", path: "/", status: 200, bytes: 0 });
  }
  const scans = random.integer(3);
  for (let scan = 0; scan < scans; scan += 1) {
    const address = `198.51.100.${245 + random.integer(8)}`;
    const userAgent = random.pick(SCANNERS);
    const time = day + random.integer(DAY_SECONDS - 60);
    for (const [index, path] of PROBED.entries()) {
      hits.push({ time: time + index, address, userAgent, path, status: 404, bytes: 6_204 });
    }
    // A browser's greeting in TLS to a port without it.
    if (random.chance(0.3)) hits.push({ time: time + 9, address, userAgent: "-", path: "", status: 400, bytes: 150 });
  }
  return hits;
}
