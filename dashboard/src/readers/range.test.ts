import { describe, expect, test } from "vitest";
import { addDays, formatRange, listDays, PRESETS, presetRange, rangeBefore, readRange, reportDays } from "./range.ts";

const TODAY = "2026-03-01";
const read = (address: string) => readRange(new URLSearchParams(address), TODAY);

describe("ranges of days", () => {
  test.each([
    ["today", "2026-03-01", "2026-03-02"],
    ["7-days", "2026-02-23", "2026-03-02"],
    ["28-days", "2026-02-02", "2026-03-02"],
    ["90-days", "2025-12-02", "2026-03-02"],
    ["this-month", "2026-03-01", "2026-03-02"],
    ["last-month", "2026-02-01", "2026-03-01"],
    ["all", null, "2026-03-02"],
  ] as const)("%s", (preset, from, to) => {
    expect(presetRange(preset, TODAY)).toEqual({ preset, from, to });
    expect(read(`range=${preset}`)).toEqual({ preset, from, to });
  });

  test("an address names days of its own, the last one included", () => {
    expect(read("from=2024-02-28&to=2024-02-29")).toEqual({ preset: "own", from: "2024-02-28", to: "2024-03-01" });
    expect(read("from=2026-01-05&to=2026-01-05")).toEqual({ preset: "own", from: "2026-01-05", to: "2026-01-06" });
  });

  test.each([
    "",
    "range=ever",
    "from=2026-01-01",
    "from=2026-02-30&to=2026-03-01",
    "from=2026-02-02&to=2026-02-01",
    "from=x&to=y",
  ])("the address %j means 28 days", (address) => expect(read(address)).toEqual(presetRange("28-days", TODAY)));

  test("the range before has the same length and ends where this one begins", () => {
    for (const { name } of PRESETS) {
      const range = presetRange(name, TODAY);
      const before = rangeBefore(range);
      if (range.from === null) expect(before).toBeNull();
      else {
        expect(before?.to).toBe(range.from);
        expect(listDays(before?.from ?? "", range.from)).toHaveLength(listDays(range.from, range.to).length);
      }
    }
  });

  test("days of a leap year, and over changes of the clocks", () => {
    expect(listDays("2024-02-28", "2024-03-02")).toEqual(["2024-02-28", "2024-02-29", "2024-03-01"]);
    expect(listDays("2026-01-01", "2027-01-01")).toHaveLength(365);
    expect(addDays("2026-10-25", 1)).toBe("2026-10-26");
    expect(reportDays({ from: null, to: "2026-01-02" })).toEqual({ dateTo: "2026-01-02" });
    expect(formatRange({ from: "2026-01-01", to: "2026-01-02" })).not.toContain("–");
  });
});
