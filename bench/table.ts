import type { Row } from "./measurement.ts";

const HEAD = ["", "aim", "figure", "met", "this machine, in the same run"];

/** The rows as a Markdown table, its columns aligned so that it reads well in a terminal too. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map(({ what, aim, figure, met, machine }) => [
    what,
    aim ?? "",
    figure,
    met === null ? "" : met ? "yes" : "no",
    machine ?? "",
  ]);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(HEAD), rule, ...cells.map(line)].join("\n");
}
