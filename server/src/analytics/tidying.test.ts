import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { createLog } from "../log.ts";
import { createAnalytics } from "./analytics.ts";
import { createBatches } from "./store/batches.ts";
import type { Engine } from "./store/engine.ts";
import { deleteForgottenProjects } from "./store/upkeep.ts";
import { viewLine } from "./store/view-line.ts";
import { createTestProject } from "./testing/project.ts";
import { createTestStore } from "./testing/store.ts";
import { testView } from "./testing/view.ts";

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

test("tidying up for the first time while a project is counted takes nothing away", async () => {
  const { database } = connection;
  const projectId = await createTestProject(database);
  let between = async (): Promise<void> => {};
  const slow: Engine = {
    ...engine,
    async command(sql, parameters) {
      // The last statement of a fold.
      if (sql.includes("arrayConcat(")) await between();
      await engine.command(sql, parameters);
    },
  };
  const analytics = await createAnalytics({ engine: slow, database, owner: "test", isAlone: true, clock, log });
  await analytics.visits.add({ projectId, views: [testView()] });
  between = () => analytics.tidy();
  await analytics.fold();
  const report = await analytics.reports.visitors(projectId, { from: null, to: null }, { limit: 1, offset: 0 });
  expect(report.totals.total).toBe(1);
  await analytics.close();
});

test("views that are stored while their project's are deleted go as well", async () => {
  const { database } = connection;
  const projectId = await createTestProject(database);
  const batches = createBatches({ database, owner: "test", isAlone: true, clock });
  const analytics = await createAnalytics({ engine, database, owner: "test", isAlone: true, clock, log });
  await analytics.visits.add({ projectId, views: [testView()] });
  const [batch = 0] = await batches.begin([[{ projectId, views: 1 }]]);
  await database.updateTable("projects").set({ deleted_at: clock() }).where("id", "=", projectId).execute();
  let isStored = false;
  const slow: Engine = {
    ...engine,
    async command(sql, parameters) {
      await engine.command(sql, parameters);
      if (isStored) return;
      isStored = true;
      await engine.insert("views", viewLine(projectId, testView(), batch));
      await batches.markStored([batch]);
    },
  };
  const upkeep = { database, batches, clock };
  await deleteForgottenProjects({ ...upkeep, engine: slow });
  await deleteForgottenProjects({ ...upkeep, engine });
  const rows = await engine.query("select 1 from {database:Identifier}.views where project = {project:String}", {
    project: projectId,
  });
  expect(rows).toEqual([]);
  await analytics.close();
});
