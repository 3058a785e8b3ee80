import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findTimeFault, readTimestamp, timeLimits } from "./timestamp.ts";

describe("a timestamp", () => {
  test.each([
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.123456789Z", "2026-01-31T12:00:00.123Z"],
    ["2026-01-31T12:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T01:30:00+02:00", "2026-01-30T23:30:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    [1_769_860_800_000, "2026-01-31T12:00:00.000Z"],
    [1_769_860_800_000.9, "2026-01-31T12:00:00.000Z"],
  ])("%s is %s", (given, iso) => {
    expect(new Date(readTimestamp(given) ?? Number.NaN).toISOString()).toBe(iso);
  });

  test.each([
    "",
    "now",
    "1",
    "2026",
    "2026-01",
    "2026-02-30T00:00:00Z",
    "2025-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-31T12:00:00",
    "2026-01-31 12:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T23:59:60Z",
    "2026-01-31T12:60Z",
    "2026-01-31T12:00:00+25:00",
    "Sat, 31 Jan 2026 12:00:00 GMT",
    "2026-W05-6",
    "+002026-01-31T12:00:00Z",
    "２０２６-01-31",
    null,
    true,
    {},
    [],
    Number.NaN,
    Infinity,
  ])("is refused: %j", (given) => {
    expect(readTimestamp(given)).toBeUndefined();
  });

  test("that a program writes is read back", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (date) => {
          expect(readTimestamp(date.toISOString())).toBe(date.getTime());
          expect(readTimestamp(date.toISOString().slice(0, 10))).toBe(
            date.getTime() - (((date.getTime() % 86_400_000) + 86_400_000) % 86_400_000),
          );
        },
      ),
    );
  });
});

describe("the times of views", () => {
  const now = Date.parse("2026-03-15T12:00:00Z");
  const fault = (time: string, retentionDays?: number) =>
    findTimeFault(Date.parse(time), timeLimits(now, retentionDays));

  test.each([
    ["2026-03-15T12:10:00Z", undefined],
    ["2026-03-15T12:10:00.001Z", "timestamp_in_future"],
    ["2200-01-01T00:00:00Z", "timestamp_in_future"],
    ["1971-01-01T00:00:00Z", undefined],
    ["1970-12-31T23:59:59.999Z", "timestamp_before_1971"],
    ["0001-01-01T00:00:00Z", "timestamp_before_1971"],
  ])("at %s: %s", (time, expected) => {
    expect(fault(time)).toBe(expected);
  });

  test("begin with the first day that is kept, today included", () => {
    expect(fault("2026-03-15T00:00:00Z", 1)).toBeUndefined();
    expect(fault("2026-03-14T23:59:59.999Z", 1)).toBe("timestamp_before_retention");
    expect(fault("2026-02-14T00:00:00Z", 30)).toBeUndefined();
    expect(fault("2026-02-13T23:59:59.999Z", 30)).toBe("timestamp_before_retention");
    // What was never allowed is told as such.
    expect(fault("1970-01-01T00:00:00Z", 30)).toBe("timestamp_before_1971");
    expect(fault("1970-12-31T00:00:00Z", 36_500)).toBe("timestamp_before_1971");
  });
});
