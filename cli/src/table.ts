import type { Terminal } from "./terminal.ts";

export interface TableOptions {
  /** The columns from this one on hold numbers: they end at the same place. */
  numbersFrom?: number;
  /** A last row that stands out. */
  total?: readonly string[];
}

/** Rows under their headings, each column as wide as its widest cell; a last column of texts is never padded. */
export function formatTable(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { numbersFrom = Infinity, total }: TableOptions = {},
): string {
  const all = total === undefined ? rows : [...rows, total];
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...all.map((row) => (row[column] ?? "").length)),
  );
  const pad = (cell: string, column: number): string => {
    if (column >= numbersFrom) return cell.padStart(widths[column] ?? 0);
    return column === headings.length - 1 ? cell : cell.padEnd(widths[column] ?? 0);
  };
  const line = (cells: readonly string[]): string => cells.map(pad).join("  ");
  return [
    terminal.style("dim", line(headings)),
    ...rows.map(line),
    ...(total === undefined ? [] : [terminal.style("bold", line(total))]),
  ]
    .map((text) => `${text}\n`)
    .join("");
}

/** Names and values below one another, the values in one column. */
export function formatFields(terminal: Terminal, fields: readonly (readonly [string, string])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, value]) => `${terminal.style("dim", name.padEnd(width))}  ${value}\n`).join("");
}

/** Dollars, with four decimals where two would show a cent or nothing. `unknown` where a price is. */
export function formatCost(costUsd: number | null): string {
  return costUsd === null ? "unknown" : `$${costUsd.toFixed(costUsd === 0 || costUsd >= 0.01 ? 2 : 4)}`;
}

/** A moment as people say it: `just now`, `5 min ago`, `3 h ago`, else the day in UTC. */
export function formatAge(createdAt: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(createdAt)) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return createdAt.slice(0, 10);
}
