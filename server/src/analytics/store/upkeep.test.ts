import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import { createTestProject } from "../testing/project.ts";
import { createTestStore } from "../testing/store.ts";
import { testView } from "../testing/view.ts";
import { createBatches, type Batches } from "./batches.ts";
import type { Engine } from "./engine.ts";
import { createSchema } from "./schema.ts";
import { deleteForgottenProjects, type StoreUpkeepDependencies } from "./upkeep.ts";
import { viewLine } from "./view-line.ts";

const clock = (): Date => new Date();

let connection: TestDatabase;
let engine: Engine;
let batches: Batches;
let upkeep: StoreUpkeepDependencies;

beforeAll(async () => {
  connection = await createTestDatabase();
  engine = await createTestStore();
  await createSchema(engine);
  batches = createBatches({ database: connection.database, owner: "test", isAlone: true, clock });
  upkeep = { engine, database: connection.database, batches, clock };
});
afterAll(async () => {
  await engine.close();
  await connection.close();
});

async function begin(projectId: string): Promise<number> {
  const [batch = 0] = await batches.begin([[{ projectId, views: 1 }]]);
  return batch;
}

async function insert(projectId: string, batch: number): Promise<void> {
  await engine.insert("views", viewLine(projectId, testView(), batch));
}

async function deleteProject(projectId: string): Promise<void> {
  await connection.database
    .updateTable("projects")
    .set({ deleted_at: new Date() })
    .where("id", "=", projectId)
    .execute();
}

/** The rows of a project in the store, and its batches in the register. */
async function leftOf(projectId: string): Promise<{ rows: number; batches: number[] }> {
  const rows = await engine.query("select 1 from {database:Identifier}.views where project = {project:String}", {
    project: projectId,
  });
  const registered = await connection.database
    .selectFrom("analytics_batches")
    .select("batch")
    .where("project_id", "=", projectId)
    .execute();
  return { rows: rows.length, batches: registered.map(({ batch }) => batch) };
}

test("views that were being inserted when their project was deleted go when they are stored", async () => {
  const [projectId, other] = [
    await createTestProject(connection.database),
    await createTestProject(connection.database),
  ];
  await batches.markStored([await begin(other)]);
  const [before, during] = [await begin(projectId), await begin(projectId)];
  await insert(projectId, before);
  await batches.markStored([before]);
  await deleteProject(projectId);
  await deleteForgottenProjects(upkeep);
  expect(await leftOf(projectId)).toEqual({ rows: 0, batches: [during] });

  await insert(projectId, during);
  await deleteForgottenProjects(upkeep);
  await batches.markStored([during]);
  await deleteForgottenProjects(upkeep);
  expect(await leftOf(projectId)).toEqual({ rows: 0, batches: [] });
  expect((await leftOf(other)).batches).toHaveLength(1);
});
