import { expect, test } from "vitest";
import { parseRetryAfter, waitAfter } from "./retry.ts";

const now = new Date("2026-11-21T12:00:00Z");

test.each([
  [undefined, null],
  ["120", 120_000],
  [" 0 ", 0],
  ["Sat, 21 Nov 2026 12:01:00 GMT", 60_000],
  ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
  ["soon", null],
  ["-5", 0],
])("Retry-After: %j is %j ms", (header, expected) => expect(parseRetryAfter(header, now)).toBe(expected));

test("the wait is at least the usual one, at most a fifth longer, and no receiver asks for more than a day", () => {
  expect(waitAfter(1, null, () => 0)).toBe(5_000);
  expect(waitAfter(1, null, () => 1)).toBe(6_000);
  expect(waitAfter(1, 60_000, () => 0)).toBe(60_000);
  expect(waitAfter(7, 1_000, () => 0)).toBe(12 * 3_600_000);
  expect(waitAfter(1, 1e12, () => 0)).toBe(24 * 3_600_000);
  expect(waitAfter(8, 1_000, () => 0)).toBeNull();
});
