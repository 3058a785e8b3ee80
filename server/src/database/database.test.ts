import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { StartError } from "../start-error.ts";
import { connectDatabase, requireDatabase } from "./database.ts";
import { createTestDatabase } from "./testing/postgres.ts";

test("bigint arrives as a number, and one that does not fit is an error", async () => {
  const { pool, close } = await createTestDatabase();
  onTestFinished(close);
  const { rows } = await pool.query("select 9007199254740991::bigint as largest, count(*) as count from jobs");
  expect(rows).toEqual([{ largest: 9_007_199_254_740_991, count: 0 }]);
  await expect(pool.query("select 9007199254740992::bigint")).rejects.toThrow(RangeError);
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("every connection carries its name and its limits", async () => {
  const { url, close } = await createTestDatabase();
  onTestFinished(close);
  const connection = connectDatabase({ connection: url, log: () => {}, applicationName: "docent worker" });
  onTestFinished(() => connection.close());
  const { rows } = await connection.pool.query(
    `select current_setting('application_name') as name, current_setting('statement_timeout') as statement,
            current_setting('idle_in_transaction_session_timeout') as idle`,
  );
  expect(rows).toEqual([{ name: "docent worker", statement: "30s", idle: "10s" }]);
});

test("connections that break while idle are reported and replaced", async () => {
  const admin = await createTestDatabase();
  onTestFinished(admin.close);
  const reported = Promise.withResolvers<string>();
  const connection = connectDatabase({ connection: admin.url, log: reported.resolve, connectionsMax: 1 });
  onTestFinished(() => connection.close());
  const { rows } = await connection.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  await admin.pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  expect(await reported.promise).toContain("A connection to the database broke");
  expect((await connection.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a connection that breaks in the middle of a transaction fails the transaction, and nothing else", async () => {
  const admin = await createTestDatabase();
  onTestFinished(admin.close);
  const connection = connectDatabase({ connection: admin.url, log: () => {}, connectionsMax: 1 });
  onTestFinished(() => connection.close());
  const broken = connection.database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await admin.pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await sql`select 1`.execute(transaction);
  });
  await expect(broken).rejects.toThrow();
  expect((await connection.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a database that does not answer is refused without its password", async () => {
  const connection = connectDatabase({ connection: "postgresql://docent:hunter2@127.0.0.1:1/docent", log: () => {} });
  onTestFinished(() => connection.close());
  const refused = await requireDatabase(connection.pool, "DATABASE_URL").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartError);
  expect(String(refused)).toMatch(/The database of DATABASE_URL does not answer: .*ECONNREFUSED/);
  expect(String(refused)).not.toContain("hunter2");
});
