import type { PageFacts } from "../page/page-facts.ts";

export interface PageFactsCache {
  get(key: string): PageFacts | undefined;
  set(key: string, facts: PageFacts): void;
}

/** What facts weigh in memory, in UTF-16 code units and a flat cost per object: close enough to bound the cache. */
function weigh(facts: PageFacts): number {
  const strings = facts.anchors.reduce((sum, anchor) => sum + anchor.length + 16, 0);
  const links = facts.links.reduce((sum, link) => sum + link.written.length + link.url.length + 150, 0);
  return 300 + strings + links + JSON.stringify(facts.frontMatter).length;
}

/** Least recently used facts go first once all together weigh more than `weightMax`. */
export function createPageFactsCache(weightMax = 64 * 1024 * 1024): PageFactsCache {
  const entries = new Map<string, { facts: PageFacts; weight: number }>();
  let total = 0;
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.facts;
    },
    set(key, facts) {
      total -= entries.get(key)?.weight ?? 0;
      entries.delete(key);
      const weight = weigh(facts);
      entries.set(key, { facts, weight });
      total += weight;
      for (const [oldest, entry] of entries) {
        if (total <= weightMax || oldest === key) break;
        entries.delete(oldest);
        total -= entry.weight;
      }
    },
  };
}
