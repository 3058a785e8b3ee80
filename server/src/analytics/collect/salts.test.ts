import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import { createSalts, saltPeriod, type Salts } from "./salts.ts";

let connection: TestDatabase;
let now: Date;
/** Two processes on one database. */
let first: Salts;
let second: Salts;

const PROJECT = "prj_1";
const at = (time: string): void => void (now = new Date(time));
const idOf = async (salts: Salts, period: string, project = PROJECT): Promise<bigint> =>
  (await salts.visitorHash(project, period)).ofId("reader");

beforeAll(async () => {
  connection = await createTestDatabase();
  for (const id of [PROJECT, "prj_2"]) {
    await connection.database
      .insertInto("builtin_repositories")
      .values({
        name: id,
        default_branch: "main",
        state: "ready",
        import_url: null,
        import_credential: null,
        import_error: null,
      })
      .execute();
    await connection.database
      .insertInto("projects")
      .values({ id, name: id, code_host: "builtin", repository: id, ref: "main", settings: "{}" })
      .execute();
  }
});
afterAll(() => connection.close());

beforeEach(async () => {
  at("2026-03-15T12:00:00Z");
  await connection.database.deleteFrom("analytics_salts").execute();
  const parts = { database: connection.database, clock: () => now };
  first = createSalts(parts);
  second = createSalts(parts);
});

async function periods(): Promise<string[]> {
  const rows = await connection.database.selectFrom("analytics_salts").select("period").orderBy("period").execute();
  return rows.map(({ period }) => period);
}

describe("the period of a moment", () => {
  test.each([
    ["never", "2026-03-31T23:59:59.999Z", "always"],
    ["monthly", "2026-03-31T23:59:59.999Z", "2026-03"],
    ["monthly", "2026-04-01T00:00:00Z", "2026-04"],
    ["daily", "2026-03-31T23:59:59.999Z", "2026-03-31"],
    ["daily", "2026-04-01T01:00:00+02:00", "2026-03-31"],
  ] as const)("%s at %s is %s", (rotation, time, period) => {
    expect(saltPeriod(rotation, Date.parse(time))).toBe(period);
  });
});

describe("a salt", () => {
  test("is the same for all processes, also when they all ask for it first", async () => {
    const asked = Array.from({ length: 20 }, () => createSalts({ database: connection.database, clock: () => now }));
    const ids = await Promise.all(asked.map((salts) => idOf(salts, "always")));
    expect(new Set(ids).size).toBe(1);
    const rows = await connection.database.selectFrom("analytics_salts").selectAll().execute();
    expect(rows.map(({ salt, period }) => [salt.length, period])).toEqual([[32, "always"]]);
  });

  test("is another for another period or project", async () => {
    const ids = await Promise.all([
      idOf(first, "always"),
      idOf(first, "2026-03"),
      idOf(first, "2026-03-15"),
      idOf(first, "2026-03-14"),
      idOf(first, "always", "prj_2"),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("is read once", async () => {
    const id = await idOf(first, "always");
    await connection.database.deleteFrom("analytics_salts").execute();
    expect(await idOf(first, "always")).toBe(id);
  });

  test("that could not be read is asked for again", async () => {
    await expect(idOf(first, "always", "prj_unknown")).rejects.toThrow(/foreign key/);
    await expect(idOf(first, "always", "prj_unknown")).rejects.toThrow(/foreign key/);
  });
});

describe("a salt whose period is over", () => {
  test("is kept for seven days, and then is gone for good", async () => {
    at("2026-03-15T23:00:00Z");
    const id = await idOf(first, "2026-03-15");
    at("2026-03-22T23:59:59Z");
    await first.deleteExpired();
    expect(await idOf(first, "2026-03-15")).toBe(id);
    expect(await idOf(second, "2026-03-15")).toBe(id);

    at("2026-03-23T00:00:00Z");
    await first.deleteExpired();
    expect(await periods()).toEqual([]);
    // Late views of that day count as of new visitors, the same in every process.
    const late = await idOf(first, "2026-03-15");
    expect(late).not.toBe(id);
    expect(await idOf(second, "2026-03-15")).toBe(late);
  });

  test("is used by nobody any more, also before it is deleted", async () => {
    const id = await idOf(first, "2026-03-15");
    at("2026-03-23T00:00:00Z");
    const late = await idOf(second, "2026-03-15");
    expect(late).not.toBe(id);
    expect(await idOf(first, "2026-03-15")).toBe(late);
    await first.deleteExpired();
    expect(await periods()).toEqual(["2026-03-15"]);
  });

  test("made for an import of old logs is kept for seven days too", async () => {
    const id = await idOf(first, "2020-01-01");
    at("2026-03-22T11:59:59Z");
    await second.deleteExpired();
    expect(await idOf(second, "2020-01-01")).toBe(id);
    at("2026-03-22T12:00:00Z");
    await second.deleteExpired();
    expect(await periods()).toEqual([]);
  });

  test("is a month's or a day's; what holds always is never deleted", async () => {
    at("2026-02-20T00:00:00Z");
    for (const period of ["always", "2026-01", "2026-02", "2026-03", "2026-02-28", "2026-03-01"])
      await idOf(first, period);
    at("2026-03-07T23:59:59Z");
    await first.deleteExpired();
    expect(await periods()).toEqual(["2026-02", "2026-02-28", "2026-03", "2026-03-01", "always"]);
    at("2026-03-08T00:00:00Z");
    await first.deleteExpired();
    expect(await periods()).toEqual(["2026-03", "2026-03-01", "always"]);
    at("2027-03-08T00:00:00Z");
    await first.deleteExpired();
    expect(await periods()).toEqual(["always"]);
  });
});

test("the salts of a deleted project are deleted", async () => {
  await idOf(first, "always", "prj_2");
  await connection.database.updateTable("projects").set({ deleted_at: now }).where("id", "=", "prj_2").execute();
  await first.deleteExpired();
  expect(await periods()).toEqual([]);
});
