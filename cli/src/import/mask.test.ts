import { expect, test } from "vitest";
import { maskLine } from "./mask.ts";

test.each([
  [
    '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1',
    'x.x.x.x - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1',
  ],
  ["2001:db8::1 - -", "x::x - -"],
  ["::1 -", "x::x -"],
  ["2001:0db8:0000:0000:0000:ff00:0042:8329 -", "x::x -"],
  ["::ffff:192.0.2.1 -", "::ffff:x.x.x.x -"],
  ['"clientIp":"120.75.16.101"', '"clientIp":"x.x.x.x"'],
  ["GET /a?token=secret&b=1 HTTP/1.1", "GET /a?… HTTP/1.1"],
  ["at 13:55:36 and 10:00", "at 13:55:36 and 10:00"],
  ["a\u001b[31mred\u0007\tb", "a�[31mred��b"],
])("%j is shown as %j", (line, shown) => {
  expect(maskLine(line)).toBe(shown);
});

test("long lines are cut", () => {
  expect(maskLine("a".repeat(1_000))).toHaveLength(160);
});
