import "../../version-guard.ts";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { connectDatabase, type DatabaseConnection } from "../database.ts";
import { startEmbeddedPostgres } from "../embedded.ts";
import { isAlive } from "../embedded/pid-file.ts";
import { stopServer } from "../embedded/server.ts";
import { migrate } from "../migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A URL of the run's PostgreSQL server, to be completed by a database's name. */
    postgresUrl: string;
  }
}

const TEMPLATE = "docent_template";
const PREFIX = "docent-test-postgres-";

/** For the vitest configuration: one server for the whole run, in a temporary directory, with a migrated template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned();
  const directory = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const server = await startEmbeddedPostgres({
    directory: join(directory, "postgres"),
    log: (line) => process.stderr.write(`${line}\n`),
    unsafeFast: true,
    // What a test's own server process could lose is nothing: the directory goes at the end of the run.
    settings: { fsync: "off", full_page_writes: "off", max_connections: "400", autovacuum: "off" },
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await run(server.url, `create database ${TEMPLATE}`);
    const template = connectDatabase({ connection: databaseUrl(server.url, TEMPLATE), log: () => {} });
    await migrate(template.database);
    // The next statement to use the template finds nobody connected to it.
    await template.close();
    project.provide("postgresUrl", server.url);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

export interface TestDatabase extends DatabaseConnection {
  /** For child processes and for `connectDatabase`. */
  url: string;
  /** Closes its connections, ends those of others, and drops the database. */
  close(): Promise<void>;
}

/** A database of one's own with every table in place and no row. Takes about 50 ms. */
export async function createTestDatabase(options: { connectionsMax?: number } = {}): Promise<TestDatabase> {
  return await createDatabase(`template ${TEMPLATE}`, options);
}

/** A database of one's own with nothing in it. */
export async function createEmptyTestDatabase(): Promise<TestDatabase> {
  return await createDatabase("template template0", {});
}

async function createDatabase(source: string, options: { connectionsMax?: number }): Promise<TestDatabase> {
  const serverUrl = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await run(serverUrl, `create database ${name} ${source}`);
  const url = databaseUrl(serverUrl, name);
  const connection = connectDatabase({ connection: url, log: () => {}, connectionsMax: options.connectionsMax ?? 10 });
  return {
    ...connection,
    url,
    async close() {
      await connection.close();
      await run(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, ssl: false });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The servers of runs that were killed. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await stopServer(join(tmpdir(), name, "postgres", "data"));
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}
