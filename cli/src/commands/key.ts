import { InvalidArgumentError, Option, type Command } from "commander";
import type { KeyScope } from "@docent/sdk";
import type { CommandContext } from "./context.ts";
import { connectAsAdmin, requireProject } from "../connection.ts";
import { formatAge, formatTable } from "../table.ts";
import { json, withAdminOptions, type AdminOptions } from "./option.ts";

type KeyOptions = AdminOptions & { project?: string };
type CreateOptions = KeyOptions & { name: string; scope: KeyScope; expires?: string; cidr?: string[]; quiet?: boolean };

export function addKeyCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  const connect = (options: KeyOptions) => ({
    projectId: requireProject(options, context.env),
    docent: connectAsAdmin(options, context.env, context.fetch),
  });
  const group = program.command("key").description("a project's API keys");
  const command = (name: string): Command =>
    withAdminOptions(group.command(name)).option("--project <id>", "the project (default: DOCENT_PROJECT)");

  command("create")
    .description("make an API key; it is shown once")
    .requiredOption("--name <name>", "what it is for")
    .addOption(
      new Option("--scope <scope>", "what it may do").choices(["admin", "write", "read", "collect"]).default("admin"),
    )
    .option("--expires <date>", "when it stops working: a date or a timestamp", parseDate)
    .option("--cidr <network...>", "the networks it may be used from, e.g. 10.0.0.0/8 (default: all)")
    .option("--quiet", "print the key and nothing else")
    .addHelpText(
      "after",
      "\nExamples:\n  $ docent key create --project prj_… --name ci --scope write\n" +
        '  $ export DOCENT_API_KEY="$(docent key create --name cli --quiet)"\n',
    )
    .action(async (options: CreateOptions) => {
      const { docent, projectId } = connect(options);
      const created = await docent.keys.create(projectId, {
        name: options.name,
        scope: options.scope,
        ...(options.expires === undefined ? {} : { expiresAt: options.expires }),
        ...(options.cidr === undefined ? {} : { cidrs: options.cidr }),
      });
      if (options.json === true) return terminal.write(json(created));
      if (options.quiet === true) return terminal.write(`${created.key}\n`);
      const once = terminal.style("dim", "This is the only time it is shown. To use it:");
      terminal.write(
        `${created.key}\n\n${once}\n  export DOCENT_PROJECT=${projectId}\n  export DOCENT_API_KEY=${created.key}\n`,
      );
    });

  command("list")
    .description("list the keys that work, without their secrets")
    .action(async (options: KeyOptions) => {
      const { docent, projectId } = connect(options);
      const keys = await docent.keys.list(projectId);
      if (options.json === true) return terminal.write(json(keys));
      if (keys.length === 0) return terminal.write("No keys yet. Make one: docent key create --name cli\n");
      const rows = keys.map((key) => [
        key.id,
        key.name,
        key.scope,
        `${key.start}…`,
        key.expiresAt?.slice(0, 10) ?? "never",
        formatAge(key.createdAt, context.now()),
      ]);
      terminal.write(formatTable(terminal, ["ID", "NAME", "SCOPE", "KEY", "EXPIRES", "CREATED"], rows));
    });

  command("revoke")
    .description("revoke a key; it stops working at once")
    .argument("<key>", "the key's id, from `docent key list`")
    .action(async (keyId: string, options: KeyOptions) => {
      const { docent, projectId } = connect(options);
      await docent.keys.revoke(projectId, keyId);
      terminal.write(options.json === true ? json({ id: keyId, revoked: true }) : `Revoked ${keyId}.\n`);
    });
}

function parseDate(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError("Expected a date such as 2027-01-31.");
  return date.toISOString();
}
