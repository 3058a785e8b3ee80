import { createPageFactsCache } from "./page-facts-cache.ts";
import { createPageParser } from "./page-parser.ts";

/** Parsing is the dear part, and its outcome depends on the page alone: processes and facts are the whole service's. */
export const parsing = { parser: createPageParser(), cache: createPageFactsCache() };
