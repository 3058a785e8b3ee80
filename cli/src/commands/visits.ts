import type { Command } from "commander";
import type { Visitor } from "@docent/sdk";
import { connectAsAdmin, requireProject } from "../connection.ts";
import { CommandError } from "../failure.ts";
import { createSpinner } from "../spinner.ts";
import type { CommandContext } from "./context.ts";
import { json, withAdminOptions, type AdminOptions } from "./option.ts";

type VisitOptions = AdminOptions & { project?: string };
type EraseOptions = VisitOptions & { visitorId?: string; ip?: string; userAgent?: string };

/** What is stored of a project's readers, for its administrator. */
export function addVisitCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;

  command("rebuild")
    .description("count a project's visits anew; reports stay right meanwhile")
    .action(async (options: VisitOptions) => {
      const projectId = requireProject(options, context.env);
      const { visits } = connectAsAdmin(options, context.env, context.fetch);
      const startedAt = context.now().getTime();
      await showWork("Counting anew", options, (onProgress) =>
        visits.rebuild(projectId, { onProgress, signal: context.signal }),
      );
      const seconds = (context.now().getTime() - startedAt) / 1000;
      const result = { id: projectId, rebuilt: true, seconds };
      terminal.write(options.json === true ? json(result) : `Counted anew in ${seconds.toFixed(1)} s.\n`);
    });

  command("erase")
    .description("erase a visitor, by the site's own id or by address and user agent")
    .option("--visitor-id <id>", "the id that the site itself gave")
    .option("--ip <address>", "with --user-agent: the visitor's address")
    .option("--user-agent <text>", "with --ip: the visitor's User-Agent header")
    .addHelpText(
      "after",
      "\nExamples:\n  $ docent erase --visitor-id 4711\n" +
        '  $ docent erase --ip 192.0.2.1 --user-agent "Mozilla/5.0 (…) Firefox/143.0"\n',
    )
    .action(async (options: EraseOptions) => {
      const projectId = requireProject(options, context.env);
      const visitor = visitorOf(options);
      const { visits } = connectAsAdmin(options, context.env, context.fetch);
      await showWork("Erasing", options, (onProgress) =>
        visits.erase(projectId, visitor, { onProgress, signal: context.signal }),
      );
      const result = { id: projectId, erased: true };
      terminal.write(options.json === true ? json(result) : "Whatever there was of this visitor is erased.\n");
    });

  function command(name: string): Command {
    return withAdminOptions(program.command(name)).option("--project <id>", "the project (default: DOCENT_PROJECT)");
  }

  async function showWork(
    text: string,
    options: VisitOptions,
    work: (onProgress: (done: number, total: number) => void) => Promise<void>,
  ): Promise<void> {
    const spinner = options.json === true ? undefined : createSpinner(terminal);
    spinner?.show(text);
    try {
      await work((done, total) => spinner?.show(`${text}: ${Math.floor((100 * done) / Math.max(1, total))} %`));
    } finally {
      spinner?.stop();
    }
  }
}

function visitorOf({ visitorId, ip, userAgent }: EraseOptions): Visitor {
  if (visitorId !== undefined && ip === undefined && userAgent === undefined) return { visitorId };
  if (visitorId === undefined && ip !== undefined && userAgent !== undefined) return { ip, userAgent };
  throw new CommandError("Which visitor?", "Pass either --visitor-id, or both --ip and --user-agent.");
}
