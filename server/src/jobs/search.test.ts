import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import type { Jobs } from "./job.ts";
import { searchJobs } from "./search.ts";
import { createTestJobs, insertProject, jobOf } from "./testing/records.ts";

let db: TestDatabase;
let jobs: Jobs;
beforeAll(async () => {
  db = await createTestDatabase();
  jobs = createTestJobs(db.database);
});
afterAll(() => db.close());

const titles = async (projectId: string, search: string, page: object = {}) =>
  (await jobs.list(projectId, { limit: 100, search, ...page })).jobs.map((job) => job.title);

test("finds texts in titles and in all prompts, whatever their case, and only in this project", async () => {
  const projectId = await insertProject(db.database);
  await jobs.create(await insertProject(db.database), { prompt: "Rename Hub elsewhere" });
  const first = jobOf(await jobs.create(projectId, { prompt: "Rename the HUB\n\nEverywhere, also in ÄPFEL." }));
  await jobs.create(projectId, { prompt: "Fix 100% of a_b and c\\d" });
  await jobs.message(projectId, first.id, { prompt: "and the sidebar" });
  expect(await titles(projectId, "hub")).toEqual(["Rename the HUB"]);
  expect(await titles(projectId, "äpfel")).toEqual(["Rename the HUB"]);
  expect(await titles(projectId, "SideBar")).toEqual(["Rename the HUB"]);
  expect(await titles(projectId, "e")).toHaveLength(1);
  for (const text of ["100%", "a_b", "c\\d", "\\"]) {
    expect(await titles(projectId, text)).toEqual(["Fix 100% of a_b and c\\d"]);
  }
  for (const text of ["1%0", "a.b", "axb", "%e%", "'; drop table jobs"])
    expect(await titles(projectId, text)).toEqual([]);
  await jobs.archive(projectId, first.id);
  expect(await titles(projectId, "hub", { status: "active" })).toEqual([]);
});

test("goes through pages like any list", async () => {
  const projectId = await insertProject(db.database);
  for (let i = 0; i < 5; i++) await jobs.create(projectId, { prompt: i % 2 === 0 ? `needle ${i}` : `hay ${i}` });
  const first = await jobs.list(projectId, { limit: 2, search: "needle" });
  const second = await jobs.list(projectId, { limit: 2, search: "needle", cursor: first.nextCursor ?? "" });
  expect([...first.jobs, ...second.jobs].map(({ title }) => title)).toEqual(["needle 4", "needle 2", "needle 0"]);
  expect(second.nextCursor).toBeNull();
});

test("prompts are found by their index", async () => {
  const projectId = await insertProject(db.database);
  const search = db.database.selectFrom("jobs").select("id").where(searchJobs(projectId, "number 7777"));
  const plan = await db.database.transaction().execute(async (transaction) => {
    // In tables as small as these the planner would rather read all.
    await sql`set local enable_seqscan = off`.execute(transaction);
    const { rows } = await sql<Record<string, string>>`explain ${search}`.execute(transaction);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toContain("Bitmap Index Scan on job_messages_prompt");
  expect(plan).not.toContain("Seq Scan");
});
