import { expect, test } from "vitest";
import { renderMarkdown } from "./markdown.ts";

test("renders a long text as a short one", async () => {
  const line = "A *word* and `code`.\n";
  const { markup } = await renderMarkdown(line.repeat(300));
  expect(markup.match(/<em>word<\/em>/g)).toHaveLength(300);
});

test("shows what takes too long as it was written, escaped, and the event loop goes on meanwhile", async () => {
  let longestMs = 0;
  let before = performance.now();
  const beat = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - before);
    before = performance.now();
  }, 10);
  const { markup } = await renderMarkdown(`a < b\n\n${"> - ".repeat(14_000)}`);
  clearInterval(beat);
  expect(markup).toMatch(/^<pre>a &lt; b/);
  expect(longestMs).toBeLessThan(1_500);
}, 30_000);
