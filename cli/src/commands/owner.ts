import type { Command } from "commander";
import { connectAsAdmin } from "../connection.ts";
import type { CommandContext } from "./context.ts";
import { json, withAdminOptions, type AdminOptions } from "./option.ts";

/** Who runs the installation. */
export function addOwnerCommands(program: Command, { terminal, env, fetch }: CommandContext): void {
  const group = program.command("owner").description("who runs the installation, in the dashboard");

  withAdminOptions(group.command("recover"))
    .description("make a link with which somebody is an owner, with a new password")
    .requiredOption("--email <address>", "whose account it is; it is made where there is none")
    .addHelpText(
      "after",
      "\nFor when nobody can sign in any more. The link is for one use within a day, and signs in even\n" +
        "where password sign-in is off.\n\nExample:\n  $ docent owner recover --email ada@example.com\n",
    )
    .action(async (options: AdminOptions & { email: string }) => {
      const invitation = await connectAsAdmin(options, env, fetch).invitations.recoverOwner(options.email);
      if (options.json === true) return terminal.write(json(invitation));
      const once = terminal.style("dim", "Open it in a browser; it works once, until tomorrow.");
      terminal.write(`${invitation.url}\n\n${once}\n`);
    });
}
