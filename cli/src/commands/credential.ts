import type { Command } from "commander";
import type { CredentialName } from "@docent/sdk";
import { connectAsAdmin, requireProject } from "../connection.ts";
import { CommandError } from "../failure.ts";
import { formatAge, formatTable } from "../table.ts";
import { readSecretFile } from "./code-host.ts";
import type { CommandContext } from "./context.ts";
import { json, withAdminOptions, type AdminOptions } from "./option.ts";

type Options = AdminOptions & { project?: string };
type ModelCredential = Extract<CredentialName, `model-${string}`>;

const MODELS: readonly string[] = ["anthropic", "openai", "google", "bedrock", "openai-compatible"];

/** What a project's own services accept: models' keys, the key that signs commits. */
export function addCredentialCommands(program: Command, { terminal, env, fetch, now }: CommandContext): void {
  const group = program.command("credential").description("what a project's model and code host accept");
  const withProject = (command: Command) =>
    withAdminOptions(command).option("--project <id>", "the project (default: DOCENT_PROJECT)");
  const open = (options: Options) => ({
    projectId: requireProject(options, env),
    credentials: connectAsAdmin(options, env, fetch).credentials,
  });

  withProject(group.command("list"))
    .description("list what is stored; values are never shown")
    .action(async (options: Options) => {
      const { projectId, credentials } = open(options);
      const found = await credentials.list(projectId);
      if (options.json === true) return terminal.write(json(found));
      if (found.length === 0) return terminal.write("Nothing is stored: the server's own are used.\n");
      const rows = found.map(({ name, updatedAt }) => [name, formatAge(updatedAt, now())]);
      terminal.write(formatTable(terminal, ["NAME", "STORED"], rows));
    });

  withProject(group.command("model"))
    .description(`store the key of a model's provider: ${MODELS.join(", ")}`)
    .argument("<provider>", "whose key it is")
    .requiredOption("--file <path>", "a file with the key, or - for stdin")
    .addHelpText("after", "\nExample:\n  $ docent credential model anthropic --file - < key.txt\n")
    .action(async (provider: string, options: Options & { file: string }) => {
      if (!MODELS.includes(provider)) {
        throw new CommandError(`"${provider}" is not a provider.`, `Known are: ${MODELS.join(", ")}.`);
      }
      const { projectId, credentials } = open(options);
      const name = `model-${provider}` as ModelCredential;
      await credentials.store(projectId, name, { value: await readSecretFile(terminal, options.file) });
      terminal.write(options.json === true ? json({ name, stored: true }) : `Stored ${name}.\n`);
    });

  withProject(group.command("remove"))
    .description("remove a stored one; the server's own is used from then on")
    .argument("<name>", "as the list names it")
    .action(async (name: string, options: Options) => {
      const { projectId, credentials } = open(options);
      await credentials.remove(projectId, name as CredentialName);
      terminal.write(options.json === true ? json({ name, removed: true }) : `Removed ${name}.\n`);
    });

  withProject(group.command("signing-key"))
    .description("show the public half of the SSH key that signs commits")
    .option("--new", "make one, in place of the one before")
    .addHelpText(
      "after",
      "\nRegister it as a signing key of the account whose e-mail address the commits bear; then\n" +
        "  $ docent project update --set commits.sign=true\n",
    )
    .action(async (options: Options & { new?: boolean }) => {
      const { projectId, credentials } = open(options);
      const key = await (options.new === true
        ? credentials.createSigningKey(projectId)
        : credentials.getSigningKey(projectId));
      terminal.write(options.json === true ? json(key) : `${key.publicKey}\n`);
    });
}
