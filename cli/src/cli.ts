import { Command, CommanderError } from "commander";
import { addImportCommand } from "./commands/import.ts";
import { addCredentialCommands } from "./commands/credential.ts";
import { addEvalCommand } from "./commands/eval.ts";
import { addJobCommands } from "./commands/job.ts";
import { addKeyCommands } from "./commands/key.ts";
import { addOwnerCommands } from "./commands/owner.ts";
import { addProjectCommands } from "./commands/project.ts";
import { addReportCommands } from "./commands/reports.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addVisitCommands } from "./commands/visits.ts";
import { addWebhookCommands } from "./commands/webhook.ts";
import { addWorkerCommand } from "./commands/worker.ts";
import type { CommandContext } from "./commands/context.ts";
import { reportFailure } from "./failure.ts";

const ENVIRONMENT = `
Environment:
  DOCENT_URL          where the service listens (default http://127.0.0.1:4000)
  DOCENT_API_KEY      a project's API key, for jobs and reports
  DOCENT_PROJECT      the project, in place of --project
  DOCENT_ADMIN_TOKEN  for projects and keys, in place of the data directory's token
  DOCENT_DATA         the data directory (default .docent)

Start here:
  $ docent serve
  $ docent project create --name Docs --repository https://github.com/you/docs.git
  $ export DOCENT_PROJECT=prj_…
  $ export DOCENT_API_KEY="$(docent key create --name cli --quiet)"
  $ docent job create "fix broken links" --watch
  $ docent import access.log.gz
  $ docent visitors
`;

/**
 * Runs one command line to its end.
 * @param args The arguments after the program's name.
 * @returns The exit code: 0, or 1 when the command or the job it watched failed.
 */
export async function runCli(args: readonly string[], context: CommandContext): Promise<number> {
  const program = new Command("docent")
    .description("From an instruction to a pull request for your documentation.")
    .exitOverride()
    .configureOutput({ writeOut: context.terminal.write, writeErr: context.terminal.writeError })
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .showHelpAfterError("Run the command with --help for what it takes.")
    .addHelpText("after", ENVIRONMENT);
  let exitCode = 0;
  const fail = (): void => {
    exitCode = 1;
  };
  addServeCommand(program);
  addWorkerCommand(program);
  addProjectCommands(program, context);
  addKeyCommands(program, context);
  addCredentialCommands(program, context);
  addWebhookCommands(program, context);
  addJobCommands(program, context, fail);
  addImportCommand(program, context, fail);
  addReportCommands(program, context);
  addVisitCommands(program, context);
  addOwnerCommands(program, context);
  addEvalCommand(program, context, fail);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (context.signal.aborted) return 130;
    reportFailure(context.terminal, error);
    return 1;
  }
  return exitCode;
}
