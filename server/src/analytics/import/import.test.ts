import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import { createLog } from "../../log.ts";
import { createAnalytics, type Analytics } from "../analytics.ts";
import { createClassifier } from "../classify/classify.ts";
import { createSalts } from "../collect/salts.ts";
import { createCollectSettings } from "../collect/settings.ts";
import type { Engine } from "../store/engine.ts";
import { createTestProject } from "../testing/project.ts";
import { createTestStore } from "../testing/store.ts";
import { findChunkFault, type LogChunk } from "./chunk.ts";
import { createLogImports, type LogImports } from "./import.ts";
import type { LogPoint } from "./progress.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY_SECONDS = 86_400;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";

let database: TestDatabase;
let engine: Engine;
let analytics: Analytics;
let imports: LogImports;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  engine = await createTestStore();
  const clock = (): Date => new Date(NOW);
  const log = createLog("silent", { write: () => {} });
  analytics = await createAnalytics({ engine, database: database.database, owner: "test", isAlone: true, clock, log });
  imports = createLogImports({
    database: database.database,
    visits: analytics.visits,
    classify: createClassifier(),
    salts: createSalts({ database: database.database, clock }),
    settings: createCollectSettings({ database: database.database, clock }),
    clock,
  });
});
afterAll(async () => {
  await analytics.close();
  await engine.close();
  await database.close();
});
beforeEach(async () => {
  projectId = await createTestProject(database.database);
});

/** The point behind these characters of a log; the bytes are the characters. */
function point(log: string): LogPoint {
  return { bytes: log.length, sha256: createHash("sha256").update(log).digest() };
}

interface ChunkOptions extends Partial<Omit<LogChunk, "step">> {
  run?: string;
  others?: string[];
}

/** A chunk of one view of `/` a character, from one text to a longer one. */
function chunk(from: string, to: string, { run = "imp_1", others = [], ...parts }: ChunkOptions = {}): LogChunk {
  const views = to.length - from.length;
  const zeros = Array.from({ length: views }, () => 0);
  return {
    step: {
      projectId,
      importId: run,
      firstLine: point("first").sha256,
      from: point(from),
      to: point(to),
      others,
    },
    addresses: ["192.0.2.1"],
    userAgents: [FIREFOX],
    pages: [{ path: "/", status: 200 }],
    referrers: [""],
    columns: {
      seconds: zeros.map((_zero, index) => (index === 0 ? NOW / 1000 - DAY_SECONDS : 0)),
      addresses: zeros,
      userAgents: zeros,
      pages: zeros,
      referrers: zeros,
    },
    globalPrivacyControl: [],
    ...parts,
  };
}

async function countViews(): Promise<number> {
  const report = await analytics.reports.views(projectId, { from: null, to: null }, { limit: 1, offset: 0 });
  return report.totals.total;
}

describe("progress", () => {
  test("chunks in their order are stored, and each once", async () => {
    expect(await imports.store(chunk("", "aaa"))).toEqual({ bytes: 3, accepted: 3, rejected: [], repeated: false });
    expect(await imports.store(chunk("aaa", "aaaa"))).toMatchObject({ bytes: 4, accepted: 1, repeated: false });
    expect(await imports.store(chunk("", "aaa"))).toMatchObject({ accepted: 3, repeated: true });
    expect(await imports.store(chunk("aaa", "aaaa"))).toMatchObject({ accepted: 1, repeated: true });
    expect(await countViews()).toBe(4);
    expect(await imports.find(projectId, point("first").sha256)).toMatchObject([{ id: "imp_1", ...point("aaaa") }]);
  });

  test("a chunk without views moves the import, too", async () => {
    const none = { seconds: [], addresses: [], userAgents: [], pages: [], referrers: [] };
    expect(await imports.store(chunk("", "aaa", { columns: none }))).toMatchObject({ bytes: 3, accepted: 0 });
    expect(await imports.find(projectId, point("first").sha256)).toMatchObject([point("aaa")]);
  });

  test("a chunk that does not begin where the import is moves nothing", async () => {
    await imports.store(chunk("", "aaa"));
    for (const wrong of [
      chunk("aaaa", "aaaaa"),
      chunk("bbb", "bbbb"),
      chunk("", "aaaa"),
      chunk("", "aaa", { run: "imp_2" }),
      chunk("aa", "aaaa", { run: "imp_2" }),
    ]) {
      expect(await imports.store(wrong)).toEqual({ refused: "moved" });
    }
    expect(await countViews()).toBe(3);
  });

  test("another run goes on where one ended, and the first one cannot any more", async () => {
    await imports.store(chunk("", "aaa"));
    expect(await imports.store(chunk("aaa", "aaaa", { run: "imp_2" }))).toMatchObject({ bytes: 4 });
    expect(await imports.store(chunk("aaa", "aaaaa"))).toEqual({ refused: "moved" });
    expect(await imports.store(chunk("aaaa", "aaaaa", { run: "imp_3" }))).toMatchObject({ bytes: 5 });
    expect(await countViews()).toBe(5);
  });

  test("logs with the same first line are kept apart once they were compared", async () => {
    await imports.store(chunk("", "aaaa"));
    expect(await imports.store(chunk("", "bb", { run: "imp_2" }))).toEqual({ refused: "moved" });
    expect(await imports.store(chunk("", "bb", { run: "imp_2", others: ["imp_1"] }))).toMatchObject({ bytes: 2 });
    expect(await imports.store(chunk("bb", "bbb", { run: "imp_2", others: ["imp_1"] }))).toMatchObject({ bytes: 3 });
    expect(await imports.store(chunk("aaaa", "aaaaa"))).toMatchObject({ bytes: 5 });
    expect(await countViews()).toBe(8);
  });

  test("of many who import the same at the same moment, one does", async () => {
    const runs = Array.from({ length: 8 }, (_, run) => chunk("", "a".repeat(run + 1), { run: `imp_${run}` }));
    const answers = await Promise.all(runs.map((each) => imports.store(each)));
    const stored = answers.flatMap((answer) => ("refused" in answer ? [] : [answer.accepted]));
    expect(stored).toHaveLength(1);
    expect(await countViews()).toBe(stored[0]);
  });

  test("chunks of a run that are sent together are stored in their order", async () => {
    const answers = await Promise.all(["", "a", "aa", "aaa"].map((from) => imports.store(chunk(from, `${from}a`))));
    expect(answers).toMatchObject([{ bytes: 1 }, { bytes: 2 }, { bytes: 3 }, { bytes: 4 }]);
    expect(await countViews()).toBe(4);
  });

  test("projects know nothing of each other's logs, and one that is gone takes none", async () => {
    const first = projectId;
    await imports.store(chunk("", "aaa"));
    projectId = await createTestProject(database.database);
    expect(await imports.find(projectId, point("first").sha256)).toEqual([]);
    expect(await imports.store(chunk("", "aa"))).toMatchObject({ bytes: 2, repeated: false });
    expect(await countViews()).toBe(2);
    projectId = first;
    expect(await imports.find(projectId, point("first").sha256)).toMatchObject([{ id: "imp_1", bytes: 3 }]);
    projectId = "prj_none";
    expect(await imports.store(chunk("", "aa"))).toEqual({ refused: "not_found" });
  });
});

describe("views", () => {
  const columns = (count: number, parts: Partial<LogChunk["columns"]>): LogChunk["columns"] => ({
    ...chunk("", "a".repeat(count)).columns,
    ...parts,
  });

  test("are of readers, pages and agents as the events of the collect endpoint are", async () => {
    await imports.store(
      chunk("", "aaaaa", {
        addresses: ["192.0.2.1", "2001:DB8:0::1", "2001:db8::1"],
        userAgents: [FIREFOX, "axios/1.13.2"],
        pages: [
          { path: "/a/index.html?b", status: 200 },
          { path: "/a.md", status: 304 },
          { path: "/gone", status: 404 },
          { path: "/a", status: 200, accept: "text/markdown" },
        ],
        columns: columns(5, {
          addresses: [0, 1, 2, 0, 2],
          userAgents: [0, 0, 0, 0, 1],
          pages: [0, 1, 0, 2, 3],
        }),
      }),
    );
    const everything = { from: null, to: null };
    const page = { limit: 10, offset: 0 };
    expect(await analytics.reports.visitors(projectId, everything, page)).toMatchObject({
      paths: [{ path: "/a", human: 2, ai: 1, total: 3 }],
      basis: { sources: ["log"] },
    });
    expect(await analytics.reports.missing(projectId, everything, page)).toMatchObject({ paths: [{ path: "/gone" }] });
    expect(await analytics.reports.agents(projectId, everything)).toMatchObject({
      agents: [{ agent: "axios", visitors: 1 }],
    });
  });

  test("that do not count are told of by reason, with the first of each", async () => {
    projectId = await createTestProject(database.database, { retentionDays: 10, globalPrivacyControl: "drop" });
    const at = (seconds: number): number => NOW / 1000 + seconds;
    const times = [0, 601, -9 * DAY_SECONDS, -11 * DAY_SECONDS, 31_535_999 - at(0), 0, 0, 0, 0, 0, 0].map(at);
    const answer = await imports.store(
      chunk("", "a".repeat(11), {
        addresses: ["192.0.2.1", ""],
        pages: [
          { path: "/a", status: 200 },
          { path: "/a.js", status: 200 },
          { path: "/a", status: 301 },
          { path: "/\0", status: 200 },
        ],
        columns: columns(11, {
          seconds: times.map((time, index) => time - (times[index - 1] ?? 0)),
          addresses: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
          pages: [0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 1],
        }),
        globalPrivacyControl: [9],
      }),
    );
    expect(answer).toMatchObject({ accepted: 2, repeated: false });
    if ("refused" in answer) throw new Error(answer.refused);
    expect(answer.rejected.map(({ code, count, example }) => [code, count, example])).toEqual([
      ["timestamp_in_future", 1, 1],
      ["timestamp_before_retention", 1, 3],
      ["timestamp_before_1971", 1, 4],
      ["no_visitor", 1, 5],
      ["not_a_page", 2, 6],
      ["status_not_page_view", 1, 7],
      ["invalid_url", 1, 8],
      ["global_privacy_control", 1, 9],
    ]);
  });

  test("of a reader are one visitor's until the salt changes", async () => {
    projectId = await createTestProject(database.database, { saltRotation: "daily" });
    await imports.store(
      chunk("", "aaaa", {
        columns: columns(4, { seconds: [NOW / 1000 - 3 * DAY_SECONDS, 60, DAY_SECONDS, -60] }),
      }),
    );
    const report = await analytics.reports.visitors(projectId, { from: null, to: null }, { limit: 1, offset: 0 });
    expect(report.totals.total).toBe(2);
    expect(await countViews()).toBe(4);
  });
});

test("what is wrong with a chunk is named", () => {
  const good = chunk("", "aaa");
  expect(findChunkFault(good)).toBeUndefined();
  const faults: [LogChunk, string][] = [
    [chunk("aaa", "aaa"), "to.bytes must be more than from.bytes"],
    [{ ...good, columns: { ...good.columns, pages: [0] } }, "views.pages must have as many entries as views.seconds"],
    [
      { ...good, columns: { ...good.columns, userAgents: [0, 0, 1] } },
      "views.userAgents[2] must be less than the 1 userAgents of the chunk",
    ],
    [{ ...good, globalPrivacyControl: [3] }, "globalPrivacyControl must name views of the chunk; 3 is none"],
  ];
  for (const [bad, fault] of faults) expect(findChunkFault(bad)).toBe(fault);
});
