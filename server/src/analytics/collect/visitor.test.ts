import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createVisitorHash } from "./visitor.ts";

const salt = Buffer.alloc(32, 7);
const visitors = createVisitorHash("prj_1", salt);
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

test("a visitor has the same 64 bits each time, in every process", () => {
  expect(visitors.ofId("reader-1")).toBe(12_452_908_393_790_736_045n);
  expect(visitors.ofClient("192.0.2.1", CHROME)).toBe(createVisitorHash("prj_1", salt).ofClient("192.0.2.1", CHROME));
});

test("another project, salt, address, user agent or kind of id makes another visitor", () => {
  const ids = [
    visitors.ofId("reader-1"),
    visitors.ofId("reader-2"),
    visitors.ofId(`192.0.2.1\0${CHROME}`),
    visitors.ofClient("192.0.2.1", CHROME),
    visitors.ofClient("192.0.2.2", CHROME),
    visitors.ofClient("192.0.2.1", ""),
    visitors.ofClient("reader-1", ""),
    createVisitorHash("prj_2", salt).ofId("reader-1"),
    createVisitorHash("prj_1", randomBytes(32)).ofId("reader-1"),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test("ids are spread over all 64 bits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (id) => {
      const visitor = visitors.ofId(id);
      expect(visitor >= 0n && visitor < 2n ** 64n).toBe(true);
    }),
  );
  const many = Array.from({ length: 4_096 }, (_, number) => visitors.ofId(String(number)));
  for (let bit = 0n; bit < 64n; bit += 1n) {
    const ones = many.filter((visitor) => (visitor >> bit) & 1n).length;
    // 2,048 in the mean, with a standard deviation of 32.
    expect(Math.abs(ones - 2_048)).toBeLessThan(200);
  }
});

test("what follows the 1,000th character of a user agent makes no difference", () => {
  const long = "x".repeat(1_000);
  expect(visitors.ofClient("192.0.2.1", `${long}y`)).toBe(visitors.ofClient("192.0.2.1", long));
});
