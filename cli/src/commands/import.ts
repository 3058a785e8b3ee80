import { InvalidArgumentError, Option, type Command } from "commander";
import type { CommandContext } from "./context.ts";
import { connectToProject } from "../connection.ts";
import { FORMATS } from "../import/formats/formats.ts";
import { importLog, type ImportLogOptions, type LogReport } from "../import/import-log.ts";
import { createProgress } from "../import/progress.ts";
import { openFile, openInput, type LogSource } from "../import/source.ts";
import { describeImport, describeLog, toJson } from "../import/summary.ts";
import { json, withProjectOptions, type ProjectOptions } from "./option.ts";

type ImportOptions = ProjectOptions & {
  format: string;
  host?: string[];
  basePath?: string;
  anotherLog?: boolean;
};

export function addImportCommand(program: Command, context: CommandContext, fail: () => void): void {
  const { terminal } = context;
  const formatNames = ["auto", ...FORMATS.map(({ name }) => name)];

  withProjectOptions(program.command("import"))
    .description("count the page views of web server logs, each once, however often a log is imported")
    .argument("<logs...>", "files, also compressed with gzip or zstd, or - for stdin")
    .addOption(new Option("--format <format>", "what wrote the log").choices(formatNames).default("auto"))
    .option("--host <name>", "count only requests to this host; may be given several times", addHost)
    .option("--base-path <path>", "count only pages below this path, like /docs", readBasePath)
    .option("--another-log", "a log that begins with the same line as a longer one that is imported is another one")
    .addHelpText(
      "after",
      "\nExamples:\n  $ docent import /var/log/nginx/access.log /var/log/nginx/access.log.*.gz\n" +
        "  $ docent import logs/*.gz --host docs.example.com --base-path /docs\n" +
        "  $ ssh web1 cat /var/log/caddy/access.log | docent import -\n",
    )
    .action(async (paths: string[], options: ImportOptions) => {
      const { docent, projectId } = connectToProject(options, context.env, context.fetch);
      const progress = createProgress(options.json === true ? { ...terminal, live: false } : terminal, context.now);
      const startedAt = context.now().getTime();
      const reports: LogReport[] = [];
      const importOptions: ImportLogOptions = {
        imports: docent.imports,
        projectId,
        format: FORMATS.find(({ name }) => name === options.format),
        filter: { hosts: options.host ?? [], basePath: options.basePath ?? "" },
        isAnotherLog: options.anotherLog === true,
        now: context.now,
        pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
        onWait: progress.wait,
        onLines: progress.lines,
      };
      for (const path of paths) {
        const report = await importOne(path, importOptions);
        reports.push(report);
        if (report.damage !== null) fail();
        if (options.json !== true) terminal.write(describeLog(terminal, report));
      }
      const seconds = (context.now().getTime() - startedAt) / 1000;
      if (options.json === true) return terminal.write(json(toJson(reports, seconds)));
      terminal.write(`\n${describeImport(terminal, reports, { seconds, projectId })}`);

      async function importOne(path: string, given: ImportLogOptions): Promise<LogReport> {
        const source: LogSource = path === "-" ? openInput(context.terminal.input) : await openFile(path);
        progress.start(source);
        try {
          return await importLog(source, given);
        } finally {
          progress.stop();
          await source.close();
        }
      }
    });
}

function addHost(text: string, hosts: string[] = []): string[] {
  const host = text.toLowerCase();
  if (/^[^\s/]+$/.test(host)) return [...hosts, host];
  throw new InvalidArgumentError("Expected a host's name without scheme and path, such as docs.example.com.");
}

function readBasePath(text: string): string {
  if (!text.startsWith("/")) throw new InvalidArgumentError("Expected a path that begins with a slash, such as /docs.");
  return text.replace(/\/+$/, "");
}
