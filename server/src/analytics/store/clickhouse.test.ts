import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import { createLog } from "../../log.ts";
import { startChild, type Child } from "../../testing/child.ts";
import { findFreePort } from "../../testing/free-port.ts";
import { createAnalytics, type Analytics } from "../analytics.ts";
import { createTestStore } from "../testing/store.ts";
import { testView } from "../testing/view.ts";
import type { View } from "../view.ts";
import { connectStore } from "./connect.ts";
import type { Engine } from "./engine.ts";
import { describeSchema } from "./schema.ts";

const PROGRAM = join(import.meta.dirname, "../testing/clickhouse-program.ts");
const NOW = Date.UTC(2026, 10, 21, 12);

let directory: string;
let port: number;
let server: Child;
let database: TestDatabase;

async function startServer(): Promise<Child> {
  const child = startChild([PROGRAM, join(directory, "clickhouse"), String(port)], { PATH: process.env["PATH"] ?? "" });
  await child.line(1, (line) => line === "ready");
  return child;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "docent-clickhouse-"));
  port = await findFreePort();
  server = await startServer();
  database = await createTestDatabase();
  await database.database
    .insertInto("projects")
    .values({ id: "prj_1", name: "Docs", code_host: "builtin", repository: "r", ref: "main", settings: "{}" })
    .execute();
});

afterAll(async () => {
  server.kill("SIGKILL");
  await server.ended;
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(owner: string): Promise<{ engine: Engine; analytics: Analytics }> {
  const engine = await connectStore({
    directory: "",
    clickhouseUrl: `http://docent:secret@127.0.0.1:${port}/visits`,
    clickhouseCluster: null,
  });
  if (engine === null) throw new Error("There is an address.");
  const log = createLog("silent", { write: () => {} });
  const analytics = await createAnalytics({
    engine,
    database: database.database,
    owner,
    isAlone: false,
    clock: () => new Date(NOW),
    log,
  });
  return { engine, analytics };
}

function views(visitors: readonly number[], path: string): View[] {
  return visitors.map((visitor) =>
    testView({ time: NOW - (visitor % 7) * 86_400_000, visitor: BigInt(visitor) << 40n, path }),
  );
}

test("two processes on one server add and fold together, and a server that goes away and comes back loses nothing", async () => {
  const [first, second] = [await open("first"), await open("second")];
  const range = { from: null, to: null };
  const read = async (): Promise<number> =>
    (await first.analytics.reports.visitors("prj_1", range, { limit: 10, offset: 0 })).totals.total;
  const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

  await Promise.all([
    first.analytics.visits.add({ projectId: "prj_1", views: views(numbers(0, 500), "/a\t'\\ü") }),
    second.analytics.visits.add({ projectId: "prj_1", views: views(numbers(400, 900), "/b") }),
    first.analytics.fold(),
    second.analytics.fold(),
  ]);
  expect(await read()).toBe(900);
  await Promise.all([first.analytics.fold(), second.analytics.fold()]);
  expect(await read()).toBe(900);
  const report = await second.analytics.reports.visitors("prj_1", range, { limit: 1, offset: 0 });
  expect(report).toMatchObject({ paths: [{ path: "/a\t'\\ü", total: 500 }], hasMore: true });

  server.kill("SIGKILL");
  await server.ended;
  await expect(first.analytics.visits.add({ projectId: "prj_1", views: views([5_000], "/a") })).rejects.toThrow(
    "could not be stored",
  );
  // What was asked for before is remembered; anything else has to be read.
  expect(await read()).toBe(900);
  const other = first.analytics.reports.visitors("prj_1", { from: "2026-11-01", to: null }, { limit: 10, offset: 0 });
  await expect(other).rejects.toThrow("does not answer");
  server = await startServer();
  expect(await read()).toBe(900);
  await first.analytics.visits.add({ projectId: "prj_1", views: views([5_000], "/a") });
  await first.analytics.tidy();
  await first.analytics.rebuild("prj_1");
  expect(await read()).toBe(901);
  for (const { analytics, engine } of [first, second]) {
    await analytics.close();
    await engine.close();
  }
});

test("the statements for a cluster are ClickHouse's, and replicate and distribute every table", async () => {
  const engine = await createTestStore();
  const statements: string[] = [];
  for (const statement of describeSchema("docs's")) {
    const text = statement.replaceAll("{database:Identifier}", "docent");
    const [row] = await engine.query<{ text: string }>("select formatQuerySingleLine({text:String}) as text", { text });
    statements.push(row?.text ?? "");
  }
  expect(statements.map((text) => text.replace(/ \(.*\) ENGINE/, " (…) ENGINE"))).toMatchInlineSnapshot(`
    [
      "CREATE DATABASE IF NOT EXISTS docent ON CLUSTER \`docs's\`",
      "CREATE TABLE IF NOT EXISTS docent.views_local ON CLUSTER \`docs's\` (…) ENGINE = ReplicatedMergeTree PARTITION BY intDiv(batch, 1000000000000000) ORDER BY (project, visitor, path, day) SETTINGS index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1",
      "CREATE TABLE IF NOT EXISTS docent.views ON CLUSTER \`docs's\` AS docent.views_local ENGINE = Distributed('docs\\'s', docent, views_local, visitor)",
      "CREATE TABLE IF NOT EXISTS docent.identity_local ON CLUSTER \`docs's\` (…) ENGINE = ReplicatedMergeTree ORDER BY identity",
      "CREATE TABLE IF NOT EXISTS docent.identity ON CLUSTER \`docs's\` AS docent.identity_local ENGINE = Distributed('docs\\'s', docent, identity_local, cityHash64(identity))",
      "CREATE TABLE IF NOT EXISTS docent.counts_local ON CLUSTER \`docs's\` (…) ENGINE = ReplicatedMergeTree PARTITION BY segment ORDER BY (scope, day, key, previous) SETTINGS fsync_after_insert = 1, fsync_part_directory = 1",
      "CREATE TABLE IF NOT EXISTS docent.counts ON CLUSTER \`docs's\` AS docent.counts_local ENGINE = Distributed('docs\\'s', docent, counts_local, cityHash64(key))",
    ]
  `);
  await engine.close();
});
