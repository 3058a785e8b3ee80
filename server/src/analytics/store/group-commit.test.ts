import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import { createLog } from "../../log.ts";
import { readState } from "../count/state.ts";
import { createTestProject } from "../testing/project.ts";
import { createTestStore } from "../testing/store.ts";
import { testView } from "../testing/view.ts";
import type { ProjectViews } from "../view.ts";
import { createBatches, type Batches } from "./batches.ts";
import type { Engine } from "./engine.ts";
import { createGroupCommit, type GroupCommit, type GroupCommitOptions } from "./group-commit.ts";
import { createSchema } from "./schema.ts";
import { deleteAbandoned } from "./upkeep.ts";
import { VisitsBusyError } from "./visits.ts";

const clock = (): Date => new Date();
const log = createLog("silent", { write: () => {} });

let connection: TestDatabase;
let store: Engine;
let batches: Batches;
let projectId: string;
/** The texts that were inserted, one an insertion. */
let insertions: string[];

beforeAll(async () => {
  connection = await createTestDatabase();
  store = await createTestStore();
  await createSchema(store);
  batches = createBatches({ database: connection.database, owner: "test", isAlone: true, clock });
});
afterAll(async () => {
  await store.close();
  await connection.close();
});
beforeEach(async () => {
  insertions = [];
  projectId = await createTestProject(connection.database);
});

function open(options: GroupCommitOptions = {}, insert: Engine["insert"] = store.insert): GroupCommit {
  const engine: Engine = {
    ...store,
    async insert(table, lines) {
      insertions.push(lines);
      await insert(table, lines);
    },
  };
  return createGroupCommit({ engine, batches, database: connection.database, log }, options);
}

const views = (count: number, path = "/"): ProjectViews => ({
  projectId,
  views: Array.from({ length: count }, (_, visitor) => testView({ visitor: BigInt(visitor), path })),
});

/** The stored views that count, by page. */
async function counted(): Promise<Record<string, number>> {
  const { unfolded } = await readState(connection.database, projectId);
  const rows = await store.query<{ path: string; views: string }>(
    "select path, count() as views from {database:Identifier}.views where project = {project:String} and batch in {batches:Array(UInt64)} group by path",
    { project: projectId, batches: unfolded.map(({ batch }) => batch) },
  );
  return Object.fromEntries(rows.map((row) => [row.path, Number(row.views)]));
}

async function countRows(): Promise<number> {
  const rows = await store.query("select 1 from {database:Identifier}.views where project = {project:String}", {
    project: projectId,
  });
  return rows.length;
}

test("what comes together is stored together, and counts", async () => {
  let stored = 0;
  const visits = open({ onStored: () => (stored += 1) });
  await Promise.all(["/first", "/a", "/b", "/c"].map((path) => visits.add(views(10, path))));
  expect(await counted()).toEqual({ "/first": 10, "/a": 10, "/b": 10, "/c": 10 });
  // The first begins at once, and the others wait for each other.
  expect(insertions).toHaveLength(2);
  expect(stored).toBe(2);
  await visits.close();
});

test("a full buffer refuses, and takes again when there is room", async () => {
  const visits = open({ waitingViewsMax: 10 });
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const held = visits.add(views(10, "/held"), () => isReleased);
  const refused = visits.add(views(1, "/refused"));
  await expect(refused).rejects.toThrow(VisitsBusyError);
  await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 2 });
  await expect(visits.add(views(1, "/refused"))).rejects.toThrow("Send these again in 2 s.");
  release();
  await held;
  await visits.add(views(10, "/again"));
  expect(await counted()).toEqual({ "/held": 10, "/again": 10 });
  await visits.close();
});

test("more views than the buffer holds are taken while nothing else waits", async () => {
  const visits = open({ waitingViewsMax: 10 });
  const large = visits.add(views(25, "/large"));
  await expect(visits.add(views(1))).rejects.toThrow(VisitsBusyError);
  await large;
  expect(await counted()).toEqual({ "/large": 25 });
  await visits.close();
});

test("what must become true together with views does, or neither, and nobody else is touched", async () => {
  const visits = open();
  const rename =
    (name: string, error?: Error) =>
    async (transaction: Parameters<NonNullable<Parameters<GroupCommit["add"]>[1]>>[0]): Promise<void> => {
      await transaction.updateTable("projects").set({ name }).where("id", "=", projectId).execute();
      if (error !== undefined) throw error;
    };
  const first = visits.add(views(1, "/first"));
  const [plain, failing, other, good] = await Promise.allSettled([
    visits.add(views(2, "/plain")),
    visits.add(views(3, "/failing"), rename("Failing", new Error("Not this one."))),
    visits.add(views(4, "/other")),
    visits.add(views(5, "/good"), rename("Good")),
  ]);
  await first;
  expect(insertions).toHaveLength(2);
  expect(plain.status).toBe("fulfilled");
  expect(failing).toEqual({ status: "rejected", reason: new Error("Not this one.") });
  expect(other.status).toBe("fulfilled");
  expect(good.status).toBe("fulfilled");
  expect(await counted()).toEqual({ "/first": 1, "/plain": 2, "/other": 4, "/good": 5 });
  const { name } = await connection.database
    .selectFrom("projects")
    .select("name")
    .where("id", "=", projectId)
    .executeTakeFirstOrThrow();
  expect(name).toBe("Good");
  await visits.close();
});

test("no views: what must become true does, without an insertion", async () => {
  const visits = open();
  let isTrue = false;
  await visits.add(views(0), async () => void (isTrue = true));
  await visits.add(views(0));
  expect(isTrue).toBe(true);
  expect(insertions).toEqual([]);
  await visits.close();
});

test("closing stores what was taken, and takes no more", async () => {
  const visits = open();
  const added = Promise.all(["/a", "/b", "/c", "/d"].map((path) => visits.add(views(3, path))));
  await visits.close();
  expect(await counted()).toEqual({ "/a": 3, "/b": 3, "/c": 3, "/d": 3 });
  await added;
  await expect(visits.add(views(1))).rejects.toThrow(VisitsBusyError);
});

test("an engine that refuses: all are rejected, and the next ones are stored", async () => {
  await store.command("rename table {database:Identifier}.views to {database:Identifier}.away");
  const visits = open();
  const added = [visits.add(views(1, "/lost")), visits.add(views(2, "/lost")), visits.add(views(3, "/lost"))];
  const results = await Promise.allSettled(added);
  await store.command("rename table {database:Identifier}.away to {database:Identifier}.views");
  expect(results.map((result) => result.status === "rejected" && result.reason instanceof VisitsBusyError)).toEqual([
    true,
    true,
    true,
  ]);
  await visits.add(views(1, "/stored"));
  expect(await counted()).toEqual({ "/stored": 1 });
  await visits.close();
});

test("rows whose storing was not acknowledged never count, and are deleted", async () => {
  let isAnswerLost = true;
  const visits = open({}, async (table, lines) => {
    await store.insert(table, lines);
    if (isAnswerLost) throw new Error("The connection was closed.");
  });
  const added = [visits.add(views(2, "/lost")), visits.add(views(3, "/lost"), () => Promise.resolve())];
  for (const result of await Promise.allSettled(added)) {
    expect(result).toMatchObject({
      status: "rejected",
      reason: { message: expect.stringContaining("again") as string },
    });
  }
  isAnswerLost = false;
  await visits.add(views(2, "/sent-again"));
  expect(await countRows()).toBe(7);
  expect(await counted()).toEqual({ "/sent-again": 2 });
  await deleteAbandoned({ engine: store, database: connection.database, batches, clock });
  expect(await countRows()).toBe(2);
  expect((await readState(connection.database, projectId)).hidden).toEqual([]);
  await visits.close();
});

test("an insertion that was given up for dead before it ended does not count", async () => {
  const another = createBatches({ database: connection.database, owner: "another", isAlone: true, clock });
  const visits = open({}, async (table, lines) => {
    await store.insert(table, lines);
    await another.abandonLeftBehind();
  });
  await expect(visits.add(views(4))).rejects.toThrow("given up");
  expect(await counted()).toEqual({});
  await visits.close();
});
