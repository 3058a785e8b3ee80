import type { PageFacts } from "../page/page-facts.ts";
import { createWeightedCache, type WeightedCache } from "./weighted-cache.ts";

export type PageFactsCache = WeightedCache<PageFacts>;

/** What facts weigh in memory, in UTF-16 code units and a flat cost per object: close enough to bound the cache. */
function weigh(facts: PageFacts): number {
  const strings = facts.anchors.reduce((sum, anchor) => sum + anchor.length + 16, 0);
  const links = facts.links.reduce((sum, link) => sum + link.written.length + link.url.length + 150, 0);
  return 300 + strings + links + JSON.stringify(facts.frontMatter).length;
}

export function createPageFactsCache(weightMax = 64 * 1024 * 1024): PageFactsCache {
  return createWeightedCache(weigh, weightMax);
}
