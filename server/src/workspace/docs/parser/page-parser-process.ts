import { readPageSource, type PageSource } from "./page-source.ts";

/** One of the processes that `createPageParser` starts: a page in, its facts out. It ends when its parent does. */
process.on("message", (page: PageSource) => {
  process.send?.(readPageSource(page));
});
