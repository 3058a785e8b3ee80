import { Option, type Command } from "commander";
import type { WebhookDelivery } from "@docent/sdk";
import { connectAsAdmin, requireProject } from "../connection.ts";
import { formatAge, formatTable } from "../table.ts";
import type { CommandContext } from "./context.ts";
import { json, withAdminOptions, type AdminOptions } from "./option.ts";

type Options = AdminOptions & { project?: string };
type ListOptions = Options & { state?: WebhookDelivery["state"] };

/** What a project tells others of its jobs, and how its code host tells the service. */
export function addWebhookCommands(program: Command, { terminal, env, fetch, now }: CommandContext): void {
  const group = program.command("webhook").description("what a project tells others, and what its code host tells");
  const command = (name: string) =>
    withAdminOptions(group.command(name)).option("--project <id>", "the project (default: DOCENT_PROJECT)");
  const open = (options: Options) => ({
    projectId: requireProject(options, env),
    webhooks: connectAsAdmin(options, env, fetch).webhooks,
  });

  command("list")
    .description("list the latest deliveries to the project's webhookUrl")
    .addOption(new Option("--state <state>", "only these").choices(["waiting", "delivered", "failed"]))
    .action(async (options: ListOptions) => {
      const { projectId, webhooks } = open(options);
      const { state } = options;
      const { deliveries } = await webhooks.deliveries(projectId, {
        limit: 100,
        ...(state === undefined ? {} : { state }),
      });
      if (options.json === true) return terminal.write(json(deliveries));
      if (deliveries.length === 0) return terminal.write("None in the last 30 days.\n");
      const rows = deliveries.map((each) => [
        each.id,
        each.type,
        each.jobId,
        each.state,
        String(each.attempts),
        formatAge(each.createdAt, now()),
        each.error ?? "",
      ]);
      terminal.write(formatTable(terminal, ["ID", "TYPE", "JOB", "STATE", "ATTEMPTS", "AGE", "ERROR"], rows));
    });

  command("redeliver")
    .description("send a delivery once more")
    .argument("<id>", "the delivery")
    .action(async (id: string, options: Options) => {
      const { projectId, webhooks } = open(options);
      const delivery = await webhooks.redeliver(projectId, id);
      terminal.write(options.json === true ? json(delivery) : `${delivery.id} is sent once more.\n`);
    });

  command("secret")
    .description("make the secret that deliveries are signed with; it is shown once")
    .action(async (options: Options) => {
      const { projectId, webhooks } = open(options);
      const made = await webhooks.rotateSecret(projectId);
      if (options.json === true) return terminal.write(json(made));
      const before = made.previousUntil === null ? "" : ` The one before also signs until ${made.previousUntil}.`;
      terminal.write(`${made.secret}\n\n${terminal.style("dim", `This is the only time it is shown.${before}`)}\n`);
    });

  command("connect")
    .description("make the secret that the project's code host signs with; it is shown once")
    .addHelpText(
      "after",
      "\nEnter URL and secret in the repository's webhooks; the service's guide says which events.\n",
    )
    .action(async (options: Options) => {
      const { projectId, webhooks } = open(options);
      const webhook = await webhooks.connectCodeHost(projectId);
      if (options.json === true) return terminal.write(json(webhook));
      const once = terminal.style("dim", "This is the only time the secret is shown.");
      terminal.write(`URL:     ${webhook.url}\nSecret:  ${webhook.secret}\n\n${once}\n`);
    });
}
