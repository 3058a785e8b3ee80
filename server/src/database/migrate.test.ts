import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { StartError } from "../start-error.ts";
import { connectDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { createEmptyTestDatabase, createTestDatabase } from "./testing/postgres.ts";

test("five processes' worth of connections migrate one database once", async () => {
  const empty = await createEmptyTestDatabase();
  onTestFinished(() => empty.close());
  const connections = Array.from({ length: 5 }, () => connectDatabase({ connection: empty.url, log: () => {} }));
  const ran = await Promise.all(connections.map((connection) => migrate(connection.database)));
  await Promise.all(connections.map((connection) => connection.close()));
  expect(ran.flat()).toEqual(Object.keys(MIGRATIONS));
  expect(await empty.database.selectFrom("jobs").selectAll().execute()).toEqual([]);
});

test("a migrated database stays as it is", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  expect(await migrate(database.database)).toEqual([]);
});

test("a database that a newer version has changed is refused", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  await sql`insert into kysely_migration (name, timestamp) values ('9999_later', ${new Date().toISOString()})`.execute(
    database.database,
  );
  await expect(migrate(database.database)).rejects.toThrow(StartError);
  await expect(migrate(database.database)).rejects.toThrow("9999_later");
});

test("a migration that fails leaves nothing behind", async () => {
  const empty = await createEmptyTestDatabase();
  onTestFinished(() => empty.close());
  const failing = {
    "0001_first": {
      up: async (db: typeof empty.database) => void (await sql`create table first (id int)`.execute(db)),
    },
    "0002_second": { up: async (db: typeof empty.database) => void (await sql`select 1/0`.execute(db)) },
  };
  await expect(migrate(empty.database, failing)).rejects.toThrow("division by zero");
  const table = await sql`select to_regclass('first') as first`.execute(empty.database);
  expect(table.rows).toEqual([{ first: null }]);
  const repaired = { ...failing, "0002_second": { up: async () => {} } };
  expect(await migrate(empty.database, repaired)).toEqual(["0001_first", "0002_second"]);
});
