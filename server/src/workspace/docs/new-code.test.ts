import { expect, test } from "vitest";
import { findNewCode } from "./new-code.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("finds in a process what is found here", async () => {
  const filler = "Words, and more words.\n\n".repeat(100);
  const before = bytes(`${filler}{1 + 1}\n`);
  expect(await findNewCode({ before, after: bytes(`${filler}{1 + 1}\n\n{evil()}\n`) })).toEqual(["{evil()}"]);
  expect(await findNewCode({ before: null, after: bytes(filler) })).toEqual([]);
});

test("a page that takes for ever counts as code, and the event loop goes on meanwhile", async () => {
  let longestMs = 0;
  let before = performance.now();
  const beat = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - before);
    before = performance.now();
  }, 10);
  const code = await findNewCode({ before: null, after: bytes(`<b>a</b>\n\n${"> - ".repeat(100_000)}`) });
  clearInterval(beat);
  expect(code).toEqual([expect.stringMatching(/cannot be told/)]);
  expect(longestMs).toBeLessThan(1_500);
}, 60_000);
