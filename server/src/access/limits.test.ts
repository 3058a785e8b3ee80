import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { createLimits } from "./limits.ts";

let connection: TestDatabase;
let now = new Date("2026-01-01T10:20:00Z");

beforeAll(async () => {
  connection = await createTestDatabase();
});
afterAll(() => connection.close());

const limits = () => createLimits({ database: connection.database, clock: () => now });

test("an hour's window allows exactly its number, whichever server counts and however many at once", async () => {
  const servers = [limits(), limits(), limits()];
  const answers = await Promise.all(
    Array.from({ length: 20 }).flatMap(() => servers.map((server) => server.take("create prj_1", 25))),
  );
  expect(answers.filter((answer) => answer?.allowed === true)).toHaveLength(25);
  const remaining = answers.flatMap((answer) => (answer?.allowed === true ? [answer.remaining] : []));
  expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, index) => index));
  expect(answers.find((answer) => answer?.allowed === false)).toEqual({
    allowed: false,
    limit: 25,
    remaining: 0,
    resetSeconds: 2400,
  });
  expect((await limits().take("create prj_2", 25))?.remaining).toBe(24);
});

test("the next hour begins anew and leaves nothing of the last behind", async () => {
  now = new Date("2026-01-01T11:00:00Z");
  expect(await limits().take("create prj_1", 25)).toMatchObject({ allowed: true, remaining: 24, resetSeconds: 3600 });
  const rows = await connection.database.selectFrom("rate_limit_windows").selectAll().execute();
  expect(rows).toEqual([{ subject: "create prj_1", window_start: now, count: 1 }]);
});

test("0 stands for no limit", async () => {
  expect(await limits().take("create prj_9", 0)).toBeUndefined();
});
