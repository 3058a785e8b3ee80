import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCsv, prefersCsv } from "./analytics-csv.ts";

/** A reader after the grammar of RFC 4180, section 2. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let record: string[] = [];
  while (field.lastIndex < text.length) {
    const [matched, quoted, plain = "", end] = field.exec(text) ?? [];
    if (matched === undefined) throw new Error(`This is no CSV: ${JSON.stringify(text)}`);
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    records.push(record);
    record = [];
  }
  return records;
}

test("quotes, commas and line ends stay in their field", () => {
  expect(formatCsv(["path", "total"], [{ path: '/a,"b"', total: 12 }])).toBe('path,total\r\n"/a,""b""",12\r\n');
  expect(formatCsv(["path", "total"], [])).toBe("path,total\r\n");
});

test("whatever stands in the rows is read back, formulas with an apostrophe in front", () => {
  const nasty = fc.string({ unit: fc.constantFrom(..."=+-@\t\r\n\",;'a/".split(""), "é", "＝", "😀"), maxLength: 8 });
  const row = fc.record({ path: fc.oneof(nasty, fc.string({ unit: "grapheme" })), total: fc.nat() });
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const [header, ...records] = parseCsv(formatCsv(["path", "total"], rows));
      expect(header).toEqual(["path", "total"]);
      expect(records.map(([, total]) => Number(total))).toEqual(rows.map(({ total }) => total));
      for (const [index, [path = ""]] of records.entries()) {
        expect(path).not.toMatch(/^[=+\-@\t\r]/);
        expect([rows[index]?.path, `'${rows[index]?.path}`]).toContain(path);
      }
    }),
  );
});

test.each([
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["application/json", false],
  ["text/csv", true],
  ["TEXT/CSV", true],
  ["text/*", true],
  ["text/csv;q=0.5, application/json", false],
  ["text/csv, application/json;q=0.9", true],
  ["application/json;q=0.1, */*;q=0.5", true],
  ["text/html, application/xhtml+xml, */*;q=0.8", false],
  ["text/csv;q=0", false],
  ["text/html", false],
  ["text/csv;q=0, */*", false],
  ["text/csv; charset=utf-8; header=present", true],
  ["text/csv;charset=utf-8;q=0.4, application/json;q=0.3", true],
  [";;;,,=", false],
])("Accept: %s", (accept, isCsv) => {
  expect(prefersCsv(accept)).toBe(isCsv);
});
