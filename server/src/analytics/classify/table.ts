import { readFileSync } from "node:fs";

/** The rows of a `.tsv` file of this folder, whose first line names the columns. */
export function readTable<Column extends string>(file: string): Record<Column, string>[] {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const columns = head.split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])) as Record<Column, string>;
  });
}

/**
 * A pattern of a table as a regular expression: it matches whole words in any case. `ClaudeBot` is found in
 * `(compatible; claudebot/1.0)`, and neither in `NotClaudeBot` nor in `ClaudeBots`.
 */
export function wordPattern(source: string): RegExp {
  const start = /^\w/.test(source) ? String.raw`(?<![\w-])` : "";
  const end = /\w$/.test(source) ? String.raw`(?!\w)` : "";
  return new RegExp(`${start}(?:${source})${end}`, "i");
}
