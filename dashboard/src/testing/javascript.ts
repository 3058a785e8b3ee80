import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";

/** Watches a page from before it is opened; tells how many bytes of JavaScript it has fetched, compressed by gzip. */
export function watchJavaScript(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  return async () => (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
}
