import type { Terminal } from "../terminal.ts";
import type { LogReport } from "./import-log.ts";
import { REASONS } from "./page-view.ts";
import { shorten } from "../spinner.ts";
import { formatCount, formatDuration } from "./progress.ts";
import { addTally, createTally, type Rejected, type Tally } from "./tally.ts";

/** Reasons that are nobody's mistake. */
const USUAL: ReadonlySet<string> = new Set([
  "other_entry",
  "other_host",
  "outside_base_path",
  "method_not_get",
  "not_a_page",
  "prefetch",
  "status_not_page_view",
]);
const EXAMPLE_INDENT = 12;

/** One line about what became of a log. */
export function describeLog(terminal: Terminal, { name, format, bytesBefore, tally, ...report }: LogReport): string {
  const found = format === null ? "no line in it" : format.title;
  const before = bytesBefore > 0 ? `, of which ${formatCount(bytesBefore)} bytes were imported before` : "";
  const counts =
    tally.lines === 0 && bytesBefore > 0
      ? "nothing new"
      : `${formatCount(tally.lines)} ${bytesBefore > 0 ? "new " : ""}lines, ${formatCount(tally.views)} views`;
  let text = `${name}  ${terminal.style("dim", `${found}${before}`)}\n  ${counts}\n`;
  if (report.leavesLine) text += "  The last line is not finished; the next import reads it.\n";
  if (report.damage !== null) {
    text += `  ${terminal.style("yellow", report.damage)} What could be read is imported; import the whole log later.\n`;
  }
  return text;
}

/** What all logs brought, why lines did not count, and what to do now. */
export function describeImport(
  terminal: Terminal,
  reports: readonly LogReport[],
  { seconds, projectId }: { seconds: number; projectId: string },
): string {
  const sum = sumOf(reports);
  const next = `\n${terminal.style("dim", "Next, who read the docs:")}\n  docent visitors --project ${projectId}\n`;
  if (sum.lines === 0) return `Nothing new. What was imported before counts once.\n${next}`;
  const rate = ` (${formatCount(sum.lines / Math.max(seconds, 0.001))} lines/s)`;
  const rows: [string, string][] = [
    ["lines", `${formatCount(sum.lines)} in ${formatDuration(seconds)}${rate}`],
    ["views", formatCount(sum.views)],
  ];
  let text = rows.map(([name, value]) => `${terminal.style("dim", name.padEnd(6))} ${value}\n`).join("");
  const rejected = sortByCount(sum);
  if (rejected.length > 0)
    text += `\nNot counted:\n${rejected.map((each) => describeRejected(terminal, each)).join("")}`;
  if (sum.views > 0) return text + next;
  return `${text}\nNo line counted. Check --host and --base-path, and that this is the log of the documentation's pages.\n`;
}

/** For programs: each log, and the reasons with their examples. */
export function toJson(reports: readonly LogReport[], seconds: number): object {
  const describe = ({ lines, views, rejected }: Tally) => ({ lines, views, rejected: [...rejected.values()] });
  return {
    ...describe(sumOf(reports)),
    seconds,
    logs: reports.map(({ name, format, bytesBefore, bytes, tally, leavesLine, damage }) => ({
      name,
      format: format?.name ?? null,
      bytesBefore,
      bytes,
      leavesLine,
      damage,
      ...describe(tally),
    })),
  };
}

function sumOf(reports: readonly LogReport[]): Tally {
  const sum = createTally();
  for (const { tally } of reports) addTally(sum, tally);
  return sum;
}

function sortByCount(tally: Tally): Rejected[] {
  return [...tally.rejected.values()].toSorted((a, b) => b.count - a.count);
}

function describeRejected(terminal: Terminal, { code, message, count, examples }: Rejected): string {
  const reason = code in REASONS ? REASONS[code as keyof typeof REASONS] : (message ?? code);
  // Of what every log is full of, one example says enough.
  const shown = examples.slice(0, USUAL.has(code) ? 1 : examples.length);
  const lines = shown.map((example) => {
    const line = shorten(example, Math.max(40, terminal.columns - EXAMPLE_INDENT - 1));
    return `${" ".repeat(EXAMPLE_INDENT)}${terminal.style("dim", line)}\n`;
  });
  return `${formatCount(count).padStart(10)}  ${reason}\n${lines.join("")}`;
}
