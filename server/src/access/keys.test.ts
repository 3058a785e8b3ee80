import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { createId } from "../ids.ts";
import { createKeys, type Keys } from "./keys.ts";

let connection: TestDatabase;
let keys: Keys;
let projectId: string;
let now = new Date("2026-01-01T00:00:00Z");

beforeAll(async () => {
  connection = await createTestDatabase();
  keys = createKeys({ database: connection.database, clock: () => now });
  projectId = await insertProject();
});
afterAll(() => connection.close());

async function insertProject(): Promise<string> {
  const id = createId("prj", now);
  const project = { id, name: "Docs", code_host: "builtin" as const, repository: id, ref: "main", settings: "{}" };
  await connection.database.insertInto("projects").values(project).execute();
  return id;
}

async function issue(creation: Partial<Parameters<Keys["issue"]>[1]> = {}) {
  const issued = await keys.issue(projectId, { name: "test", scope: "admin", ...creation });
  if ("refused" in issued) throw new Error(issued.refused);
  return issued;
}

test("a key is stored as its hash alone", async () => {
  const issued = await issue();
  expect(issued.key).toMatch(/^docent_[\w-]{43}$/);
  const { rows } = await connection.pool.query("select api_keys::text as text from api_keys");
  for (const { text } of rows) expect(text).not.toContain(issued.key.slice(issued.start.length));
  expect(await keys.list(projectId)).toContainEqual(expect.not.objectContaining({ key: expect.anything() }));
});

test("a key counts until it is revoked, and another never did", async () => {
  const issued = await issue({ scope: "read" });
  expect(await keys.authenticate(issued.key, "10.0.0.1")).toEqual({
    keyId: issued.id,
    name: "test",
    projectId,
    scope: "read",
  });
  const other = issued.key.slice(0, -1) + (issued.key.endsWith("A") ? "B" : "A");
  expect(await keys.authenticate(other, "10.0.0.1")).toEqual({ refused: "unknown" });
  expect(await keys.revoke("prj_0", issued.id)).toBe(false);
  expect(await keys.revoke(projectId, issued.id)).toBe(true);
  expect(await keys.authenticate(issued.key, "10.0.0.1")).toEqual({ refused: "unknown" });
});

test("a key expires at its time", async () => {
  const issued = await issue({ expiresAt: new Date("2026-01-01T01:00:00Z") });
  now = new Date("2026-01-01T00:59:59.999Z");
  expect(await keys.authenticate(issued.key, "::1")).toMatchObject({ projectId });
  now = new Date("2026-01-01T01:00:00Z");
  expect(await keys.authenticate(issued.key, "::1")).toEqual({ refused: "unknown" });
});

test("a key with ranges counts only from them", async () => {
  const issued = await issue({ cidrs: ["10.1.2.3/8", "2001:db8::/32", "::ffff:192.168.0.0/112"] });
  expect(issued.cidrs).toEqual(["10.0.0.0/8", "2001:db8::/32", "192.168.0.0/16"]);
  const answers = new Map<string, boolean>();
  const addresses = [
    "10.200.0.1",
    "::ffff:10.0.0.1",
    "192.168.9.9",
    "2001:db8:1::1",
    "11.0.0.1",
    "2001:db9::1",
    "unknown",
    "",
  ];
  for (const address of addresses) answers.set(address, "keyId" in (await keys.authenticate(issued.key, address)));
  expect([...answers.values()]).toEqual([true, true, true, true, false, false, false, false]);
});

test("keys of a project that is gone do not count", async () => {
  const other = await insertProject();
  const issued = await keys.issue(other, { name: "x", scope: "admin" });
  await connection.database.updateTable("projects").set({ deleted_at: now }).where("id", "=", other).execute();
  expect(await keys.authenticate("key" in issued ? issued.key : "", "::1")).toEqual({ refused: "unknown" });
  expect(await keys.issue(other, { name: "x", scope: "admin" })).toEqual({ refused: "not_found" });
  expect(await keys.list(other)).toBeUndefined();
});

test("the last use of a key is known to the minute", async () => {
  const issued = await issue();
  const lastUsedAt = async () => (await keys.list(projectId))?.find(({ id }) => id === issued.id)?.lastUsedAt;
  expect(await lastUsedAt()).toBeNull();
  now = new Date("2026-01-01T12:00:00Z");
  await keys.authenticate(issued.key, "::1");
  await expect.poll(lastUsedAt).toBe("2026-01-01T12:00:00.000Z");
  now = new Date("2026-01-01T12:00:59Z");
  await keys.authenticate(issued.key, "::1");
  now = new Date("2026-01-01T12:01:00Z");
  await keys.authenticate(issued.key, "::1");
  await expect.poll(lastUsedAt).toBe("2026-01-01T12:01:00.000Z");
});

test("look-ups that arrive together are one query", async () => {
  const issued = await Promise.all(Array.from({ length: 30 }, () => issue()));
  let queries = 0;
  const counting = createKeys({
    database: connection.database.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === "SelectQueryNode") queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
    clock: () => now,
  });
  const found = await Promise.all(issued.map(({ key }) => counting.authenticate(key, "::1")));
  expect(found.map((answer) => ("keyId" in answer ? answer.keyId : null))).toEqual(issued.map(({ id }) => id));
  expect(queries).toBe(1);
});
