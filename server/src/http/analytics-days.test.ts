import fc from "fast-check";
import { expect, test } from "vitest";
import { ApiError } from "../errors.ts";
import { readDay, readDayRange } from "./analytics-days.ts";

const NOW = new Date("2026-03-31T23:59:59.999Z");

test.each([
  ["2026-01-31", "2026-01-31"],
  ["2024-02-29", "2024-02-29"],
  ["0000-02-29", "0000-02-29"],
  ["0099-12-31", "0099-12-31"],
  ["9999-12-31", "9999-12-31"],
  ["2026-01-31T00:00:00Z", "2026-01-31"],
  ["2026-01-31t23:59:59.999999999z", "2026-01-31"],
  ["2026-01-31T23:59:59,5Z", "2026-01-31"],
  ["2026-01-31T23:59", "2026-01-31"],
  ["2026-01-31T23:59:59", "2026-01-31"],
  ["2026-01-31T23:30:00-00:30", "2026-02-01"],
  ["2026-01-31T23:30:00-00:29", "2026-01-31"],
  ["2026-01-01T00:00:00+00:01", "2025-12-31"],
  ["2026-01-01T01:00:00+01", "2026-01-01"],
  ["2026-01-01T01:00:00+0130", "2025-12-31"],
  ["2026-01-01T01:00:00 02:00", "2025-12-31"],
  ["2024-02-29T23:00:00-05:00", "2024-03-01"],
  ["2026-01-01T00:00:00+23:59", "2025-12-31"],
])("%s falls on %s", (text, day) => {
  expect(readDay(text)).toEqual({ day });
});

test.each([
  ["no day", ["2026-02-30", "2026-13-01", "2026-00-10", "2026-01-00", "2023-02-29", "1900-02-29"], "calendar"],
  ["a time past the day", ["2026-01-01T24:00:00Z", "2026-01-01T00:60Z"], "23:59:59"],
  ["a leap second", ["2016-12-31T23:59:60Z"], "the second before"],
  ["an offset past a day", ["2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60"], "offset"],
  ["beyond the years", ["0000-01-01T00:00:00+00:01", "9999-12-31T23:59:00-00:01"], "0000 to 9999"],
  [
    "another form",
    [
      "",
      " ",
      "abc",
      "today",
      "20260131",
      "2026-1-31",
      "26-01-31",
      "2026-01",
      "2026",
      "2026-W05-6",
      "2026-031",
      "+002026-01-31",
      "-0001-01-01",
      "31.01.2026",
      "01/31/2026",
      "2026/01/31",
      "2026-01-31 09:30:00",
      "2026-01-31T",
      "2026-01-31T09",
      "2026-01-31Z",
      "2026-01-31+01:00",
      "2026-01-31T09:30:00 UTC",
      " 2026-01-31",
      "2026-01-31\n",
      "2026-01-31\0",
      "２０２６-01-31",
      "1769850000",
      "1769850000000",
      "NaN",
    ],
    "2026-01-31T09:30:00Z",
  ],
])("%s is refused with what to send", (_, texts, hint) => {
  for (const text of texts) expect(readDay(text), text).toEqual({ refused: expect.stringContaining(hint) });
});

const anyMoment = fc.date({
  min: new Date("0000-01-02T00:00:00.000Z"),
  max: new Date("9999-12-30T23:59:59.999Z"),
  noInvalidDate: true,
});

test("every moment falls on the day that Date gives it, in whatever offset it is written", () => {
  fc.assert(
    fc.property(anyMoment, fc.integer({ min: -1439, max: 1439 }), (moment, offset) => {
      const day = moment.toISOString().slice(0, 10);
      expect(readDay(moment.toISOString())).toEqual({ day });
      const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const two = (value: number): string => String(value).padStart(2, "0");
      const minutes = Math.abs(offset);
      const written = `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
      expect(readDay(written)).toEqual({ day });
    }),
  );
});

test("a date is taken exactly when the calendar has it", () => {
  const two = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, "0"));
  const four = fc.integer({ min: 0, max: 9999 }).map((value) => String(value).padStart(4, "0"));
  fc.assert(
    fc.property(four, two, two, (year, month, day) => {
      const text = `${year}-${month}-${day}`;
      // Date turns over what the month does not have, or gives no date at all.
      const date = new Date(`${text}T00:00:00Z`);
      const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
      expect("day" in readDay(text)).toBe(exists);
    }),
    { numRuns: 2_000 },
  );
});

test("no text breaks it, and what it answers is a day", () => {
  const near = fc.string({ unit: fc.constantFrom(..."0123456789-T:Z+., W".split("")), maxLength: 30 });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), near), (text) => {
      const answer = readDay(text);
      if ("day" in answer) expect(new Date(`${answer.day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(answer.day);
    }),
    { numRuns: 2_000 },
  );
});

test("a range without an end includes today, one without a start has none", () => {
  expect(readDayRange({}, NOW)).toEqual({ from: null, to: "2026-04-01" });
  expect(readDayRange({ dateFrom: "2026-03-31" }, NOW)).toEqual({ from: "2026-03-31", to: "2026-04-01" });
  expect(readDayRange({ dateTo: "2026-03-31T00:30:00+01:00" }, NOW)).toEqual({ from: null, to: "2026-03-30" });
  expect(readDayRange({ dateFrom: "2200-01-01" }, NOW)).toEqual({ from: "2026-04-01", to: "2026-04-01" });
  expect(readDayRange({ dateFrom: "2026-02-01", dateTo: "2026-02-01" }, NOW)).toEqual({
    from: "2026-02-01",
    to: "2026-02-01",
  });
});

test.each([
  [{ dateFrom: "2026-02-02", dateTo: "2026-02-01" }, ["dateFrom must not be after dateTo"]],
  [{ dateFrom: "x", dateTo: "2026-02-30" }, [expect.stringMatching(/^dateFrom /), expect.stringMatching(/^dateTo /)]],
])("%j is refused by the names of the fields", (query, messages) => {
  let thrown: unknown;
  try {
    readDayRange(query, NOW);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ApiError);
  expect(thrown).toMatchObject({ code: "invalid_request", details: messages.map((message) => ({ message })) });
});
