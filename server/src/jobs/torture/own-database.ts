import { randomBytes } from "node:crypto";
import pg from "pg";

/**
 * Makes a database on the server.
 * @returns its URL, and what drops it again, connections and all
 */
export async function createOwnDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `torture_${randomBytes(8).toString("hex")}`;
  await run(serverUrl, `create database ${name} template template0`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return { url: url.href, drop: () => run(serverUrl, `drop database if exists ${name} with (force)`) };
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
