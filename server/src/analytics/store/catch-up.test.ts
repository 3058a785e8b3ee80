import { afterEach, beforeEach, expect, test } from "vitest";
import { sql } from "kysely";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import { createLog } from "../../log.ts";
import { createAnalytics, type Analytics } from "../analytics.ts";
import { createTestProject } from "../testing/project.ts";
import { createTestStore } from "../testing/store.ts";
import { testView } from "../testing/view.ts";
import type { Engine } from "./engine.ts";

const clock = (): Date => new Date(Date.UTC(2026, 10, 21, 12));
const log = createLog("silent", { write: () => {} });

let connection: TestDatabase;
let engine: Engine;

beforeEach(async () => {
  connection = await createTestDatabase();
  engine = await createTestStore();
});
afterEach(async () => {
  await engine.close();
  await connection.close();
});

async function open(): Promise<Analytics> {
  return await createAnalytics({ engine, database: connection.database, owner: "test", isAlone: true, clock, log });
}

async function readTotal(analytics: Analytics, projectId: string): Promise<number> {
  const report = await analytics.reports.visitors(projectId, { from: null, to: null }, { limit: 1, offset: 0 });
  return report.totals.total;
}

test("PostgreSQL restored from before the last views counts all of them, once", async () => {
  const { database } = connection;
  const projectId = await createTestProject(database);
  const before = await open();
  await before.visits.add({ projectId, views: [testView({ visitor: 1n })] });
  await before.fold();
  const counts = await database.selectFrom("analytics_counts").selectAll().executeTakeFirstOrThrow();
  await before.visits.add({ projectId, views: [testView({ visitor: 2n })] });
  await before.fold();
  await before.visits.add({ projectId, views: [testView({ visitor: 3n })] });
  await before.close();

  // As a backup of the moment after the first fold has it.
  await database.deleteFrom("analytics_batches").execute();
  await database
    .updateTable("analytics_counts")
    .set({ segments: counts.segments, revision: counts.revision, mark: counts.mark })
    .execute();
  await sql`select setval('analytics_batch', 1), setval('analytics_segment', 1)`.execute(database);

  const after = await open();
  await after.fold();
  expect(await readTotal(after, projectId)).toBe(3);
  await after.visits.add({ projectId, views: [testView({ visitor: 4n })] });
  expect(await readTotal(after, projectId)).toBe(4);
  await after.fold();
  expect(await readTotal(after, projectId)).toBe(4);
  await after.close();
});
