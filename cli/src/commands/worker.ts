import type { Command } from "commander";

export function addWorkerCommand(program: Command): void {
  program
    .command("worker")
    .description("start a worker that takes jobs from the database of DATABASE_URL")
    .option("--data <directory>", "where its repository mirrors are kept (default: DOCENT_DATA, else .docent)")
    .addHelpText(
      "after",
      "\nExample:\n  $ DATABASE_URL=postgres://… DOCENT_SECRET=… DOCENT_PUBLIC_URL=https://docs.example.com docent worker\n",
    )
    .action(async (options: { data?: string }) => {
      const { runWorker } = await import("@docent/server");
      await runWorker(options);
    });
}
