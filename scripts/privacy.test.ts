import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

test("docs/privacy.md tells of every column that is stored of a view", async () => {
  const sql = await readFile(join(root, "server/src/analytics/store/schema/views.sql"), "utf8");
  const columns = [...sql.matchAll(/^ {4}(\w+) (?:LowCardinality|String|UInt64|Date|DateTime|Enum8|Bool)/gm)].map(
    ([, name]) => name,
  );
  // Another column belongs into the page's table before it is added here.
  expect(columns).toEqual([
    "project",
    "visitor",
    "path",
    "day",
    "time",
    "class",
    "purpose",
    "agent",
    "source",
    "missing",
    "referrer",
    "batch",
  ]);
  const page = await readFile(join(root, "docs/privacy.md"), "utf8");
  const stored = page.slice(page.indexOf("| Stored |"), page.indexOf("**Not stored**"));
  for (const word of ["path", "time", "day", "visitor", "class", "purpose", "source", "missing", "linked", "batch"]) {
    expect(stored).toContain(word);
  }
});
