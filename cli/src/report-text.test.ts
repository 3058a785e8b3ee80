import { expect, test } from "vitest";
import { describeBasis, describeDays, formatCount, showPath } from "./report-text.ts";

test.each([
  [{}, "since the first visit"],
  [{ dateFrom: "2026-01-01" }, "from 2026-01-01 to today"],
  [{ dateTo: "2026-03-01" }, "since the first visit, up to 2026-02-28"],
  [{ dateFrom: "2026-01-01", dateTo: "2026-02-01" }, "from 2026-01-01 to 2026-01-31"],
  [{ dateFrom: "2026-01-31", dateTo: "2026-02-01" }, "on 2026-01-31"],
  [
    { dateFrom: "2026-01-01", dateTo: "2026-02-01T00:00:00+02:00" },
    "from 2026-01-01, before 2026-02-01T00:00:00+02:00",
  ],
])("the days %j are said to be %s", (days, text) => {
  expect(describeDays(days)).toBe(text);
});

test("figures that lack something say so", () => {
  expect(describeBasis({ sources: ["log", "tracker"], ai: "all", retainedFrom: null })).toHaveLength(1);
  expect(describeBasis({ sources: [], ai: "all", retainedFrom: null })).toEqual([]);
  const lines = describeBasis({ sources: ["tracker"], ai: "assistants", retainedFrom: "2026-01-01" });
  expect(lines).toEqual([
    expect.stringContaining("assistants"),
    expect.stringContaining("import logs"),
    expect.stringContaining("2026-01-01"),
  ]);
});

test("counts are easy to read, and a path shows what would hide or turn the text around it", () => {
  expect(formatCount(1_234_567)).toBe("1,234,567");
  expect(showPath("/héllo/日本/%20")).toBe("/héllo/日本/%20");
  expect(showPath("/a\u202eb\u200b\u001b[31m\n")).toBe("/a%E2%80%AEb%E2%80%8B%1B[31m%0A");
});
