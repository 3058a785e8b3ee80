import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openChdb } from "../store/connect.ts";
import type { Engine } from "../store/engine.ts";

/** A process has one chDB; each store is a database of its own in it. */
let chdb: ReturnType<typeof openChdb> | undefined;

/** An empty store of its own in this process's chDB. Closing it drops its tables. */
export async function createTestStore(): Promise<Engine> {
  if (chdb === undefined) {
    const directory = mkdtempSync(join(tmpdir(), "docent-test-store-"));
    chdb = openChdb(directory);
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  }
  const engine = (await chdb).engine(`test_${randomBytes(8).toString("hex")}`);
  return {
    ...engine,
    close: () => engine.command("drop database if exists {database:Identifier}"),
  };
}
