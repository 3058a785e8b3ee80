import { InvalidArgumentError, type Command } from "commander";

/** Options that name the service. */
export interface ServiceOptions {
  url?: string;
  json?: boolean;
}

export function withServiceOptions(command: Command): Command {
  return command
    .option("--json", "print JSON")
    .option("--url <url>", "the service's address (default: DOCENT_URL, else http://127.0.0.1:4000)");
}

/** Options of the commands that need the admin token. */
export interface AdminOptions extends ServiceOptions {
  data?: string;
}

export function withAdminOptions(command: Command): Command {
  return withServiceOptions(command).option(
    "--data <directory>",
    "the service's data directory, which holds the admin token (default: DOCENT_DATA, else .docent)",
  );
}

/** Options of the commands that work in one project. */
export interface ProjectOptions extends ServiceOptions {
  project?: string;
}

export function withProjectOptions(command: Command): Command {
  return withServiceOptions(command).option("--project <id>", "the project (default: DOCENT_PROJECT)");
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1) throw new InvalidArgumentError("Expected a number of 1 or more.");
  return count;
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
