import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Option, type Command } from "commander";
import type { Project } from "@docent/sdk";
import type { CommandContext } from "./context.ts";
import { connectAsAdmin } from "../connection.ts";
import { CommandError } from "../failure.ts";
import { createSpinner } from "../spinner.ts";
import { formatAge, formatFields, formatTable } from "../table.ts";
import { readCredentialOptions, withCredentialOptions, type CredentialOptions } from "./code-host.ts";
import { addProjectUpdateCommand } from "./project-update.ts";
import { json, withAdminOptions, type AdminOptions } from "./option.ts";

type CreateOptions = AdminOptions &
  CredentialOptions & {
    name: string;
    repository?: string;
    codeHost?: Project["codeHost"];
    codeHostUrl?: string;
    ref?: string;
    wait: boolean;
  };

export function addProjectCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  const connect = (options: AdminOptions) => connectAsAdmin(options, context.env, context.fetch);
  const group = program.command("project").description("documentation projects");

  withCredentialOptions(withAdminOptions(group.command("create")))
    .description("make a project from a repository, or an empty one")
    .requiredOption("--name <name>", "what people call it")
    .option(
      "--repository <url>",
      "a Git URL, or a path on the service's machine, which is imported and never written to; with --code-host, the repository there",
    )
    .addOption(
      new Option("--code-host <name>", "where to work on the repository and open pull requests").choices([
        "builtin",
        "github",
        "gitlab",
        "gitea",
      ]),
    )
    .option("--code-host-url <url>", "where people open it, if the repository's URL does not say it")
    .option("--ref <branch>", "the branch that jobs start from (default: the repository's own)")
    .option("--no-wait", "return while the repository is still being imported")
    .addHelpText(
      "after",
      "\nExamples:\n  $ docent project create --name Docs --repository https://github.com/you/docs.git\n" +
        "  $ docent project create --name Docs --repository ../docs --ref main --json\n" +
        "  $ docent project create --name Docs --code-host github --repository you/docs --token-file token.txt\n",
    )
    .action(async (options: CreateOptions) => {
      const docent = connect(options);
      const { repository, codeHost = "builtin", codeHostUrl } = options;
      const created = await docent.projects.create({
        name: options.name,
        ...(repository === undefined
          ? {}
          : { repository: codeHost === "builtin" ? absoluteIfLocal(repository) : repository }),
        codeHost,
        ...(codeHostUrl === undefined ? {} : { codeHostUrl }),
        ...(await readCredentialOptions(terminal, options)),
        ...(options.ref === undefined ? {} : { ref: options.ref }),
      });
      const spinner = options.json === true ? undefined : createSpinner(terminal);
      if (options.wait) spinner?.show(`Importing ${created.repository}`);
      try {
        const project = options.wait
          ? await docent.projects.waitUntilReady(created.id, { signal: context.signal })
          : created;
        spinner?.stop();
        terminal.write(options.json === true ? json(project) : describeProject(project));
      } catch (error) {
        spinner?.stop();
        throw importFailure(error, created);
      }
    });

  withAdminOptions(group.command("list"))
    .description("list the projects")
    .action(async (options: AdminOptions) => {
      const projects = await connect(options).projects.list();
      if (options.json === true) return terminal.write(json(projects));
      if (projects.length === 0)
        return terminal.write("No projects yet. Make one: docent project create --name Docs\n");
      const rows = projects.map((project) => [
        project.id,
        project.name,
        project.state,
        project.ref,
        formatAge(project.createdAt, context.now()),
      ]);
      terminal.write(formatTable(terminal, ["ID", "NAME", "STATE", "REF", "CREATED"], rows));
    });

  addProjectUpdateCommand(group, context);

  withAdminOptions(group.command("delete"))
    .description("delete a project; its API keys stop working at once")
    .argument("<project>", "the project's id")
    .action(async (projectId: string, options: AdminOptions) => {
      await connect(options).projects.delete(projectId);
      terminal.write(options.json === true ? json({ id: projectId, deleted: true }) : `Deleted ${projectId}.\n`);
    });

  function describeProject(project: Project): string {
    const fields = formatFields(terminal, [
      ["id", project.id],
      ["name", project.name],
      ["code host", project.codeHost],
      ["repository", project.repository],
      ["ref", project.ref],
      ["state", project.state],
    ]);
    const next = `docent key create --project ${project.id} --name cli`;
    return `${fields}\n${terminal.style("dim", "Next, a key for its jobs:")}\n  ${next}\n`;
  }
}

/** A path is relative to where the command runs, not to where the service does. */
function absoluteIfLocal(repository: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(repository) || /^[^/]+@[^/]+:/.test(repository)) return repository;
  const path = resolve(repository);
  return existsSync(path) || /^[./~]/.test(repository) ? path : repository;
}

function importFailure(error: unknown, project: Project): unknown {
  if (!(error instanceof Error && "code" in error && error.code === "import_failed")) return error;
  return new CommandError(
    `${project.id} was made, but its repository was not imported: ${error.message}`,
    `Delete it and try again: docent project delete ${project.id}`,
  );
}
