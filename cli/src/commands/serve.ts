import type { Command } from "commander";
import { parsePort } from "./option.ts";

interface ServeOptions {
  port?: number;
  host?: string;
  data?: string;
  worker: boolean;
}

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("start the service: API, dashboard and worker in one process")
    .option("--port <port>", "port to listen on (default: DOCENT_PORT, else 4000)", parsePort)
    .option("--host <address>", "address to listen on (default: DOCENT_HOST, else 127.0.0.1)")
    .option("--data <directory>", "where everything is kept (default: DOCENT_DATA, else .docent)")
    .option("--no-worker", "leave the jobs to `docent worker` processes")
    .addHelpText("after", "\nExample:\n  $ docent serve --port 4000 --data /var/lib/docent\n")
    .action(async (options: ServeOptions) => {
      // The server is loaded only here: every other command starts without it.
      const { runServe } = await import("@docent/server");
      await runServe(options);
    });
}
