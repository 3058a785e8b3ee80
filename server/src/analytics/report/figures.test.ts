import fc from "fast-check";
import { expect, test } from "vitest";
import { FigureSum, sumOf } from "./figures.ts";

const COUNTS = { human: fc.nat(3), ai: fc.nat(3), total: fc.integer({ min: 1, max: 3 }) };
const KEYS = fc.string({
  unit: fc.constantFrom("/", "a", "B", "é", "É", "ß", "ﬀ", "😀", "\u202e", "%", "."),
  maxLength: 4,
});
const ROWS = fc.uniqueArray(fc.record({ key: KEYS, ...COUNTS }), { selector: ({ key }) => key, maxLength: 20 });

const utf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

test("rows are chosen and ordered as a plain search and a stable sort would do it", () => {
  fc.assert(
    fc.property(
      ROWS,
      KEYS,
      fc.constantFrom("total", "human", "ai", "path"),
      fc.constantFrom("asc", "desc", undefined),
      (rows, search, sort, order) => {
        const sum = new FigureSum();
        for (const { key, ...counts } of rows) sum.add("page", key, counts);
        const sign = (order ?? (sort === "path" ? "asc" : "desc")) === "asc" ? 1 : -1;
        const expected = rows
          .filter(({ key }) => key.toLowerCase().includes(search.toLowerCase()))
          .toSorted((a, b) => utf8(a.key, b.key))
          .toSorted((a, b) => sign * (sort === "path" ? utf8(a.key, b.key) : a[sort] - b[sort]));
        const chosen = sumOf([sum.scopes], "page", { search, sort, order });
        expect(chosen.map(({ key, counts }) => ({ key, ...counts }))).toEqual(expected);
      },
    ),
  );
});
