import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import { StartError } from "../../start-error.ts";
import { createTestProject } from "../testing/project.ts";
import { createTestStore } from "../testing/store.ts";
import { createBatches } from "./batches.ts";
import type { Engine } from "./engine.ts";
import { requireSameStore } from "./identity.ts";
import { createSchema } from "./schema.ts";

let releases: (() => Promise<void>)[] = [];
let engine: Engine;
let connection: TestDatabase;

beforeEach(async () => {
  engine = await createStore();
  connection = await createDatabase();
});
afterEach(async () => {
  for (const release of releases) await release();
  releases = [];
});

async function createStore(): Promise<Engine> {
  const store = await createTestStore();
  releases.push(() => store.close());
  await createSchema(store);
  return store;
}

async function createDatabase(): Promise<TestDatabase> {
  const created = await createTestDatabase();
  releases.push(() => created.close());
  return created;
}

async function countIdentities(store: Engine): Promise<number> {
  const rows = await store.query("select distinct identity from {database:Identifier}.identity");
  return rows.length;
}

/** From here on PostgreSQL holds half of a count. */
async function registerBatch({ database }: TestDatabase): Promise<void> {
  const projectId = await createTestProject(database);
  const batches = createBatches({ database, owner: "test", isAlone: true, clock: () => new Date() });
  await batches.begin([[{ projectId, views: 1 }]]);
}

test("a new store and a new PostgreSQL belong together from then on", async () => {
  await requireSameStore(engine, connection.database);
  await requireSameStore(engine, connection.database);
  await registerBatch(connection);
  await requireSameStore(engine, connection.database);
  expect(await countIdentities(engine)).toBe(1);
});

test("several processes that come first at once agree", async () => {
  await Promise.all(Array.from({ length: 4 }, () => requireSameStore(engine, connection.database)));
  await requireSameStore(engine, connection.database);
  expect(await countIdentities(engine)).toBe(1);
});

test("an empty store is taken while nothing has been counted yet", async () => {
  await requireSameStore(engine, connection.database);
  const other = await createStore();
  await requireSameStore(other, connection.database);
  await requireSameStore(engine, connection.database);
});

test("a used store with a new PostgreSQL is refused, each time", async () => {
  await requireSameStore(engine, connection.database);
  const { database } = await createDatabase();
  await expect(requireSameStore(engine, database)).rejects.toThrow(StartError);
  await expect(requireSameStore(engine, database)).rejects.toThrow("do not belong to this PostgreSQL");
});

test("an empty store is refused as soon as views are registered", async () => {
  await requireSameStore(engine, connection.database);
  await registerBatch(connection);
  const other = await createStore();
  await expect(requireSameStore(other, connection.database)).rejects.toThrow(StartError);
  expect(await countIdentities(other)).toBe(0);
});

test("the store of another PostgreSQL is refused", async () => {
  await requireSameStore(engine, connection.database);
  const [otherStore, otherDatabase] = [await createStore(), await createDatabase()];
  await requireSameStore(otherStore, otherDatabase.database);
  await expect(requireSameStore(otherStore, connection.database)).rejects.toThrow(StartError);
  await expect(requireSameStore(engine, otherDatabase.database)).rejects.toThrow(StartError);
});
