import { expect, test } from "vitest";
import { editText } from "../edit.ts";
import { editLargeText } from "./edit-large.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("edits a large file as a small one", async () => {
  const content = bytes(`first\r\n${"other words\r\n".repeat(20_000)}last`);
  const edits = [
    { old: "first\n", new: "1st\n" },
    { old: "last", new: "end" },
  ];
  expect(await editLargeText(content, edits)).toEqual(editText(content, edits));
});

test("edits that would take for ever are refused, and the event loop goes on meanwhile", async () => {
  let longestMs = 0;
  let before = performance.now();
  const beat = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - before);
    before = performance.now();
  }, 10);
  const content = bytes("a\n".repeat(450_000));
  const edited = await editLargeText(content, [{ old: `${" a\n".repeat(20_000)}b`, new: "x" }]);
  clearInterval(beat);
  expect(edited).toEqual({ refused: expect.stringMatching(/fewer or shorter/) });
  expect(longestMs).toBeLessThan(2_000);
}, 60_000);

test("a text that stands at very many places of one line is refused soon", () => {
  const started = performance.now();
  expect(editText(bytes("a".repeat(300_000)), [{ old: "aa", new: "b" }])).toEqual({
    refused: expect.stringMatching(/299999 places \(line 1\)/),
  });
  expect(performance.now() - started).toBeLessThan(3_000);
});
