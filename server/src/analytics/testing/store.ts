import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openChdb } from "../store/connect.ts";
import { createEngine, type Engine } from "../store/engine.ts";

/** chDB has one directory a process; each store is a database of its own in it. */
let client: ReturnType<typeof openChdb> | undefined;

/** An empty store of its own in this process's chDB. Closing it drops its tables. */
export async function createTestStore(): Promise<Engine> {
  if (client === undefined) {
    const directory = mkdtempSync(join(tmpdir(), "docent-test-store-"));
    client = openChdb(directory);
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  }
  const database = `test_${randomBytes(8).toString("hex")}`;
  const engine = createEngine(await client, { database, cluster: null });
  return {
    ...engine,
    close: () => engine.command("drop database if exists {database:Identifier}"),
  };
}
