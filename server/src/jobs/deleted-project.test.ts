import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { claimJob, releaseJob, renewLeases } from "./claim.ts";
import { createMaintenance } from "./maintenance.ts";
import { createTestJobs, insertProject, jobOf } from "./testing/records.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

test("nobody works on a deleted project's jobs, where the server's credentials would stand in for its own", async () => {
  const { database } = db;
  const projectId = await insertProject(database);
  const jobs = createTestJobs(database);
  const running = jobOf(await jobs.create(projectId, { prompt: "go" }));
  const claim = () => claimJob(database, { worker: "w1", perProjectMax: 10 });
  const claimed = await claim();
  const hold = { jobId: running.id, generation: claimed?.generation ?? 0 };
  const waiting = jobOf(await jobs.create(projectId, { prompt: "go as well" }));
  expect([...(await renewLeases(database, "w1", [hold]))]).toEqual([running.id]);

  await database.updateTable("projects").set({ deleted_at: new Date() }).where("id", "=", projectId).execute();
  expect([...(await renewLeases(database, "w1", [hold]))]).toEqual([]);
  await releaseJob(database, hold);
  expect(await claim()).toBeUndefined();

  const maintenance = createMaintenance({
    database,
    codeHosts: { of: () => Promise.reject(new Error("There is none.")) },
    signals: { onPullRequestEnded: () => () => {} },
    clock: () => new Date(),
    log: { warn: (_context, message) => expect.unreachable(message) },
  });
  await maintenance.tick();
  for (const { id } of [running, waiting]) expect(await jobs.get(projectId, id)).toMatchObject({ status: "archived" });
});
