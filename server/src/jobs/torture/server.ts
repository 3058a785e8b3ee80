import { glob, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startEmbeddedPostgres } from "../../database/embedded.ts";
import { stopServer } from "../../database/embedded/server.ts";

/** A PostgreSQL server for one run, in a temporary directory. It is not what is tortured, so it does not wait for the disk. */
export async function startTortureServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "docent-torture-postgres-"));
  const server = await startEmbeddedPostgres({
    directory: join(directory, "postgres"),
    log: (line) => process.stderr.write(`${line}\n`),
    unsafeFast: true,
    settings: { fsync: "off", full_page_writes: "off", max_connections: "400" },
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** For a run that is broken off: PostgreSQL outlives whoever started it. */
export async function stopServersUnder(directory: string): Promise<void> {
  for await (const pidFile of glob("**/postmaster.pid", { cwd: directory })) {
    await stopServer(join(directory, dirname(pidFile)));
  }
}
