import type { Command } from "commander";
import type { Analytics, Counts, PathCounts, PathReportName, ReportBasis, ReportDays, ReportName } from "@docent/sdk";
import { connectToProject } from "../connection.ts";
import { describeBasis, describeDays, formatCount, showPath } from "../report-text.ts";
import { shorten } from "../spinner.ts";
import { formatTable, type TableOptions } from "../table.ts";
import type { CommandContext } from "./context.ts";
import { json, parseCount, withProjectOptions, type ProjectOptions } from "./option.ts";

type DaysOptions = ProjectOptions & { from?: string; to?: string; csv?: boolean };
type PathOptions = DaysOptions & { limit?: number; all?: boolean };

const ROWS_DEFAULT = 50;
const PAGE_ROWS_MAX = 250;
/** Columns of the numbers behind a path. */
const NUMBERS_WIDTH = 36;

interface PathPage {
  totals: Counts;
  rows: PathCounts[];
  hasMore: boolean;
  basis: ReportBasis;
}

interface PathReport {
  description: string;
  title: string;
  /** The first cell of the row of totals. */
  total: string;
  nothing: string;
  read(analytics: Analytics, ...request: Parameters<Analytics["visitors"]>): Promise<PathPage>;
}

const PATH_REPORTS: Readonly<Record<PathReportName, PathReport>> = {
  visitors: {
    description: "unique visitors, human and AI, of the site and each page",
    title: "Unique visitors",
    total: "whole site",
    nothing: "Nobody came",
    async read(analytics, ...request) {
      const { visitors: rows, ...rest } = await analytics.visitors(...request);
      return { rows, ...rest };
    },
  },
  views: {
    description: "page views, human and AI, of the site and each page",
    title: "Page views",
    total: "whole site",
    nothing: "Nobody came",
    async read(analytics, ...request) {
      const { views: rows, ...rest } = await analytics.views(...request);
      return { rows, ...rest };
    },
  },
  "not-found": {
    description: "missing paths, by the visitors who wanted them",
    title: "Visitors of missing pages",
    total: "all missing paths",
    nothing: "Nobody looked for a page that is missing",
    async read(analytics, ...request) {
      const { paths: rows, ...rest } = await analytics.notFound(...request);
      return { rows, ...rest };
    },
  },
};

/** Who reads the documentation: one command for each report. */
export function addReportCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  const connect = (options: ProjectOptions) => connectToProject(options, context.env, context.fetch);

  for (const name of ["visitors", "views", "not-found"] as const) {
    const report = PATH_REPORTS[name];
    withDays(program.command(name))
      .description(report.description)
      .option("--limit <count>", `rows at most (default: ${ROWS_DEFAULT}; with --csv all)`, parseCount)
      .option("--all", "all rows")
      .addHelpText("after", `\nExample:\n  $ docent ${name} --from 2026-01-01 --to 2026-02-01\n`)
      .action(async (options: PathOptions) => {
        const days = daysOf(options);
        if (options.csv === true) return writeCsv(name, options, options.all === true ? undefined : options.limit);
        const rowsMax = options.all === true ? Infinity : (options.limit ?? ROWS_DEFAULT);
        const { totals, rows, hasMore, basis } = await readRows(report, options, rowsMax);
        if (options.json === true) {
          const field = name === "not-found" ? "paths" : name;
          return terminal.write(json({ totals, [field]: rows, hasMore, basis }));
        }
        if (rows.length === 0) return writeNothing(report.nothing, days, basis);
        const cells = rows.map(({ path, ...counts }) => [showCell(path), ...cellsOf(counts)]);
        writeTable(report.title, days, ["PATH", "HUMAN", "AI", "TOTAL"], cells, {
          numbersFrom: 1,
          total: [report.total, ...cellsOf(totals)],
        });
        if (hasMore) terminal.write(`${terminal.style("dim", "… and more: --all shows them.")}\n`);
        writeBasis(basis);
      });
  }

  withDays(program.command("agents"))
    .description("the AI agents that came, who runs them and what for")
    .action(async (options: DaysOptions) => {
      if (options.csv === true) return writeCsv("agents", options);
      const { docent, projectId } = connect(options);
      const days = daysOf(options);
      const { agents, basis } = await docent.analytics.agents(projectId, days, { signal: context.signal });
      if (options.json === true) return terminal.write(json({ agents, basis }));
      if (agents.length === 0) return writeNothing("No AI agent came", days, basis);
      const cells = agents.map(({ name, operator, purpose, visitors, views }) => [
        showPath(name),
        operator ?? "",
        purpose,
        ...[visitors, views].map(formatCount),
      ]);
      writeTable("AI agents", days, ["AGENT", "OPERATOR", "PURPOSE", "VISITORS", "VIEWS"], cells, { numbersFrom: 3 });
      writeBasis(basis);
    });

  withDays(program.command("timeseries"))
    .description("visitors and page views by day")
    .action(async (options: DaysOptions) => {
      if (options.csv === true) return writeCsv("timeseries", options);
      const { docent, projectId } = connect(options);
      const days = daysOf(options);
      const report = await docent.analytics.timeseries(projectId, days, { signal: context.signal });
      if (options.json === true) return terminal.write(json(report));
      if (report.days.length === 0) return writeNothing("Nobody came", days, report.basis);
      const cells = report.days.map(({ day, visitors, views }) => [day, ...cellsOf(visitors), ...cellsOf(views)]);
      const headings = ["DAY", "HUMAN", "AI", "VISITORS", "HUMAN", "AI", "VIEWS"];
      writeTable("Visitors and page views by day", days, headings, cells, { numbersFrom: 1 });
      writeBasis(report.basis);
    });

  function withDays(command: Command): Command {
    return withProjectOptions(command)
      .option("--from <date>", "the first day, in UTC (default: since the first visit)")
      .option("--to <date>", "the day after the last one (default: up to and including today)")
      .option("--csv", "print CSV");
  }

  async function readRows(report: PathReport, options: PathOptions, rowsMax: number): Promise<PathPage> {
    const { docent, projectId } = connect(options);
    const rows: PathCounts[] = [];
    for (;;) {
      const page = { ...daysOf(options), limit: Math.min(PAGE_ROWS_MAX, rowsMax - rows.length), offset: rows.length };
      const answer = await report.read(docent.analytics, projectId, page, { signal: context.signal });
      rows.push(...answer.rows);
      if (!answer.hasMore || rows.length >= rowsMax) return { ...answer, rows };
    }
  }

  async function writeCsv(report: ReportName, options: DaysOptions, limit?: number): Promise<void> {
    const { docent, projectId } = connect(options);
    const page = { ...daysOf(options), limit };
    for await (const text of docent.analytics.csv(projectId, report, page, { signal: context.signal })) {
      terminal.write(text);
    }
  }

  function writeTable(
    title: string,
    days: ReportDays,
    headings: readonly string[],
    rows: readonly (readonly string[])[],
    options: TableOptions,
  ): void {
    terminal.write(`${title} ${describeDays(days)} ${terminal.style("dim", "(UTC)")}\n\n`);
    terminal.write(formatTable(terminal, headings, rows, options));
  }

  function writeBasis(basis: ReportBasis): void {
    const lines = describeBasis(basis);
    if (lines.length > 0) terminal.write(`\n${lines.map((line) => `${terminal.style("dim", line)}\n`).join("")}`);
  }

  function writeNothing(nothing: string, days: ReportDays, basis: ReportBasis): void {
    terminal.write(`${nothing} ${describeDays(days)} ${terminal.style("dim", "(UTC)")}\n`);
    if (basis.sources.length === 0) terminal.write("To count visits: docent import access.log.gz\n");
    writeBasis(basis);
  }

  /** A file keeps what a screen would have to cut. */
  function showCell(path: string): string {
    const shown = showPath(path);
    return terminal.live ? shorten(shown, Math.max(20, terminal.columns - NUMBERS_WIDTH)) : shown;
  }
}

function daysOf({ from, to }: DaysOptions): ReportDays {
  return { dateFrom: from, dateTo: to };
}

function cellsOf({ human, ai, total }: Counts): string[] {
  return [human, ai, total].map(formatCount);
}
