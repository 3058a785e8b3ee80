import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnalyticsSettings } from "../database/schema.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { createLog } from "../log.ts";
import { createAnalytics, type Analytics } from "./analytics.ts";
import { readState } from "./count/state.ts";
import type { DayRange } from "./report/reports.ts";
import { createBatches } from "./store/batches.ts";
import type { Engine } from "./store/engine.ts";
import { countByHand, type HandCounts } from "./testing/count-by-hand.ts";
import { createTestProject } from "./testing/project.ts";
import { createTestStore } from "./testing/store.ts";
import { testView } from "./testing/view.ts";
import { viewLine } from "./store/view-line.ts";
import type { View } from "./view.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const MS_PER_DAY = 86_400_000;
const log = createLog("warn", { write: () => {} });

let database: TestDatabase;
let engine: Engine;
let analytics: Analytics;
/** Another process on the same store, which never folds. */
let elsewhere: Analytics;

async function open(owner: string, visitorsMax = 2_000, its = engine): Promise<Analytics> {
  return await createAnalytics(
    {
      engine: its,
      database: database.database,
      owner,
      isAlone: true,
      clock: () => new Date(NOW),
      log,
    },
    { tail: { visitorsMax } },
  );
}

beforeAll(async () => {
  database = await createTestDatabase();
  engine = await createTestStore();
  elsewhere = await open("elsewhere");
  analytics = await open("first");
});

afterAll(async () => {
  await analytics.close();
  await elsewhere.close();
  await engine.close();
  await database.close();
});

async function createProject(settings: AnalyticsSettings = {}): Promise<string> {
  return await createTestProject(database.database, settings);
}

function view(fields: Partial<View> & { day?: string }): View {
  const { day, ...rest } = fields;
  return testView({
    time: day === undefined ? NOW : Date.parse(`${day}T10:00:00Z`),
    purpose: rest.class === "ai" ? "assistant" : "none",
    agent: rest.class === "ai" ? "ChatGPT-User" : rest.class === "bot" ? "Bingbot" : "",
    ...rest,
  });
}

const EVERYTHING: DayRange = { from: null, to: null };

/** The report of all pages, read page by page. */
async function readAll(projectId: string, range: DayRange, limit = 250): Promise<HandCounts> {
  const paths: HandCounts["paths"] = [];
  for (let offset = 0; ; offset += limit) {
    const report = await analytics.reports.visitors(projectId, range, { limit, offset });
    paths.push(...report.paths);
    if (!report.hasMore) return { totals: report.totals, paths };
  }
}

test("the root page, one visitor of both classes, and a bot", async () => {
  const projectId = await createProject();
  await analytics.visits.add({
    projectId,
    views: [
      view({ visitor: 1n, path: "/" }),
      view({ visitor: 1n, path: "/", class: "ai" }),
      view({ visitor: 2n, path: "/a" }),
      view({ visitor: 2n ** 64n - 1n, path: "/a", class: "ai" }),
      view({ visitor: 3n, path: "/a", class: "bot" }),
    ],
  });
  const expected = {
    totals: { human: 2, ai: 2, total: 3 },
    paths: [
      { path: "/a", human: 1, ai: 1, total: 2 },
      { path: "/", human: 1, ai: 1, total: 1 },
    ],
  };
  expect(await readAll(projectId, EVERYTHING)).toEqual(expected);
  await analytics.fold();
  expect(await readAll(projectId, EVERYTHING)).toEqual(expected);
  expect(await analytics.reports.agents(projectId, EVERYTHING)).toMatchObject({
    agents: [{ agent: "ChatGPT-User", visitors: 2, views: 2 }],
    basis: { ai: "all", sources: ["api"], retainedFrom: null },
  });
  // Folded, and in the tail.
  await analytics.visits.add({
    projectId,
    views: [3n, 4n].map((visitor) => view({ visitor, path: "/b", class: "bot" })),
  });
  for (const fold of [false, true]) {
    if (fold) await analytics.fold();
    expect((await analytics.reports.bots(projectId, EVERYTHING)).bots).toEqual([
      { bot: "Bingbot", visitors: 2, views: 3 },
    ]);
  }
});

test("one visitor on one path for 400 days counts once in any range", async () => {
  const projectId = await createProject();
  const first = Date.UTC(2025, 9, 1);
  const days = Array.from({ length: 400 }, (_, day) => day);
  await analytics.visits.add({ projectId, views: days.map((day) => view({ time: first + day * MS_PER_DAY })) });
  await analytics.fold();
  for (const [from, to] of [
    [0, 400],
    [0, 1],
    [399, 400],
    [17, 230],
  ] as const) {
    const range = { from: dayOf(first + from * MS_PER_DAY), to: dayOf(first + to * MS_PER_DAY) };
    expect((await readAll(projectId, range)).totals).toEqual({ human: 1, ai: 0, total: 1 });
  }
  const { days: counted } = await analytics.reports.timeseries(projectId, EVERYTHING);
  expect(counted.map(({ visitors }) => visitors.total)).toEqual(days.map(() => 1));
});

test("1970 and 2200 are no limits at all, and an empty range is empty", async () => {
  const projectId = await createProject();
  await analytics.visits.add({ projectId, views: [view({ day: "1971-01-01" }), view({ visitor: 2n })] });
  for (const fold of [false, true]) {
    if (fold) await analytics.fold();
    expect((await readAll(projectId, { from: "1970-01-01", to: "2200-01-01" })).totals.total).toBe(2);
    expect((await readAll(projectId, { from: "0001-01-01", to: "9999-12-31" })).totals.total).toBe(2);
    expect((await readAll(projectId, { from: "2026-11-21", to: "2026-11-21" })).totals.total).toBe(0);
    expect((await readAll(projectId, { from: null, to: "1971-01-01" })).totals.total).toBe(0);
    expect((await readAll(projectId, { from: "1971-01-01", to: "1971-01-02" })).totals.total).toBe(1);
    expect((await readAll(projectId, { from: "2200-01-01", to: null })).totals.total).toBe(0);
  }
});

test("a project that nobody read", async () => {
  expect(await readAll(await createProject(), EVERYTHING)).toEqual({
    totals: { human: 0, ai: 0, total: 0 },
    paths: [],
  });
  expect((await readAll("prj_unknown", EVERYTHING)).totals.total).toBe(0);
});

test("other settings count anew", async () => {
  const projectId = await createProject();
  await analytics.visits.add({
    projectId,
    views: [
      view({ visitor: 1n, class: "ai", purpose: "training", agent: "GPTBot" }),
      view({ visitor: 2n, class: "ai", purpose: "assistant" }),
      view({ visitor: 3n, source: "tracker" }),
      view({ visitor: 4n, source: "log" }),
    ],
  });
  await analytics.fold();
  expect((await readAll(projectId, EVERYTHING)).totals).toEqual({ human: 2, ai: 2, total: 4 });
  await database.database
    .updateTable("projects")
    .set({ settings: JSON.stringify({ analytics: { ai: "assistants", peopleSources: ["tracker"] } }) })
    .where("id", "=", projectId)
    .execute();
  await analytics.fold();
  expect((await readAll(projectId, EVERYTHING)).totals).toEqual({ human: 1, ai: 1, total: 2 });
  const report = await analytics.reports.views(projectId, EVERYTHING, { limit: 10, offset: 0 });
  expect(report.basis).toEqual({ ai: "assistants", sources: ["tracker", "log", "api"].sort(), retainedFrom: null });
});

test("missing pages are counted apart", async () => {
  const projectId = await createProject();
  await analytics.visits.add({
    projectId,
    views: [
      view({ visitor: 1n, path: "/gone", isMissing: true }),
      view({ visitor: 2n, path: "/gone", isMissing: true, class: "ai" }),
      view({ visitor: 2n, path: "/there" }),
    ],
  });
  for (const fold of [false, true]) {
    if (fold) await analytics.fold();
    expect(await analytics.reports.missing(projectId, EVERYTHING, { limit: 10, offset: 0 })).toMatchObject({
      totals: { human: 1, ai: 1, total: 2 },
      paths: [{ path: "/gone", human: 1, ai: 1, total: 2 }],
    });
    expect((await readAll(projectId, EVERYTHING)).paths.map(({ path }) => path)).toEqual(["/there"]);
  }
});

test("days past their retention are gone, also for ranges that ask for them", async () => {
  const projectId = await createProject();
  const days = ["2026-11-01", "2026-11-10", "2026-11-20"];
  await analytics.visits.add({ projectId, views: days.map((day) => view({ day })) });
  await analytics.visits.add({ projectId, views: [view({ day: "2026-11-01", visitor: 2n })] });
  await analytics.fold();
  await database.database
    .updateTable("projects")
    .set({ settings: JSON.stringify({ analytics: { retentionDays: 15 } }) })
    .where("id", "=", projectId)
    .execute();
  await analytics.tidy();
  // Late, between days whose pair knows a day that is gone.
  await analytics.visits.add({ projectId, views: [view({ day: "2026-11-15" })] });
  for (const fold of [false, true]) {
    if (fold) await analytics.fold();
    expect((await readAll(projectId, { from: "2026-01-01", to: null })).totals.total).toBe(1);
    expect((await readAll(projectId, { from: "2026-11-08", to: "2026-11-12" })).totals.total).toBe(1);
    expect((await readAll(projectId, { from: "2026-11-01", to: "2026-11-09" })).totals.total).toBe(0);
    const { days: counted, basis } = await analytics.reports.timeseries(projectId, EVERYTHING);
    expect(counted.map(({ day }) => day)).toEqual(["2026-11-10", "2026-11-15", "2026-11-20"]);
    expect(basis.retainedFrom).toBe("2026-11-07");
  }
});

test("an insertion that outlives the folder's mark counts when it is done, and only then", async () => {
  const projectId = await createProject();
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = await open("slow", 2_000, {
    ...engine,
    async insert(table, lines) {
      begun.resolve();
      await mayEnd.promise;
      await engine.insert(table, lines);
    },
  });
  const outliving = slow.visits.add({
    projectId,
    views: [view({ visitor: 1n }), view({ visitor: 2n, day: "2026-11-01" })],
  });
  await begun.promise;
  await analytics.visits.add({ projectId, views: [view({ visitor: 1n }), view({ visitor: 3n })] });
  await analytics.fold();
  await analytics.rebuild(projectId);
  const state = await readState(database.database, projectId);
  expect(state.hidden.every((batch) => batch <= state.mark)).toBe(true);
  expect((await readAll(projectId, EVERYTHING)).totals.total).toBe(2);
  mayEnd.resolve();
  await outliving;
  for (const fold of [false, true]) {
    if (fold) await analytics.fold();
    expect((await readAll(projectId, EVERYTHING)).totals.total).toBe(3);
    expect((await readAll(projectId, { from: "2026-11-02", to: null })).totals.total).toBe(2);
  }
  await slow.close();
});

test("a visitor who wants to be forgotten is", async () => {
  const projectId = await createProject();
  await analytics.visits.add({ projectId, views: [view({ visitor: 5n }), view({ visitor: 2n ** 63n + 5n })] });
  await analytics.fold();
  await analytics.erase(projectId, [2n ** 63n + 5n]);
  expect((await readAll(projectId, EVERYTHING)).totals.total).toBe(1);
});

test("an erasure that a death interrupts is finished by the next process", async () => {
  const projectId = await createProject();
  await analytics.visits.add({ projectId, views: [view({ visitor: 5n }), view({ visitor: 6n })] });
  await analytics.fold();
  const dying = await open("dying", 2_000, {
    ...engine,
    async command(sql, parameters) {
      await engine.command(sql, parameters);
      if (sql.includes("delete where")) throw new Error("died");
    },
  });
  await expect(dying.erase(projectId, [5n])).rejects.toThrow("died");
  expect((await readAll(projectId, EVERYTHING)).totals.total).toBe(2);
  await analytics.fold();
  expect((await readAll(projectId, EVERYTHING)).totals.total).toBe(1);
  await dying.close();
});

test("counting anew goes on while views arrive and are folded", async () => {
  const projectId = await createProject();
  await analytics.visits.add({ projectId, views: [view({ visitor: 1n })] });
  let isBusy = true;
  const arriving = (async () => {
    for (let visitor = 2n; isBusy; visitor += 1n) {
      await analytics.visits.add({ projectId, views: [view({ visitor })] });
      await analytics.fold();
    }
  })();
  for (let round = 0; round < 3; round += 1) await analytics.rebuild(projectId);
  isBusy = false;
  await arriving;
  const { totals } = await readAll(projectId, EVERYTHING);
  const { totals: views } = await analytics.reports.views(projectId, EVERYTHING, { limit: 1, offset: 0 });
  expect(totals.total).toBe(views.total);
});

test("the readers of a deleted project are deleted", async () => {
  const projectId = await createProject();
  await analytics.visits.add({ projectId, views: [view({})] });
  await analytics.fold();
  await database.database.updateTable("projects").set({ deleted_at: new Date() }).where("id", "=", projectId).execute();
  await analytics.tidy();
  for (const table of ["views", "counts"]) {
    const rows = await engine.query(`select 1 from {database:Identifier}.${table} where project = {projectId:String}`, {
      projectId,
    });
    expect(rows).toEqual([]);
  }
  const left = await database.database
    .selectFrom("analytics_counts")
    .where("project_id", "=", projectId)
    .selectAll()
    .execute();
  expect(left).toEqual([]);
});

const settingsArbitrary: fc.Arbitrary<AnalyticsSettings> = fc.record(
  {
    ai: fc.constantFrom("all", "assistants"),
    peopleSources: fc.subarray(["tracker", "log", "api"]),
    agentSources: fc.subarray(["tracker", "log", "api"]),
  },
  { requiredKeys: [] },
);

const START = Date.UTC(2026, 8, 1);
const viewArbitrary: fc.Arbitrary<View> = fc
  .record({
    day: fc.integer({ min: 0, max: 80 }),
    visitor: fc.integer({ min: 1, max: 12 }),
    path: fc.constantFrom("/", "/a", "/b", "/b/c", "/übersicht", "/it's"),
    class: fc.constantFrom("human", "human", "ai", "bot"),
    purpose: fc.constantFrom("assistant", "training", "reader", "search"),
    source: fc.constantFrom("tracker", "log", "api"),
    isMissing: fc.constantFrom(false, false, false, true),
  })
  .map(({ day, visitor, ...rest }) =>
    view({
      ...rest,
      purpose: rest.class === "ai" ? rest.purpose : "none",
      time: START + day * MS_PER_DAY,
      // Spread over all 64 bits, so that several shards are at work.
      visitor: (BigInt(visitor) * 0x9e3779b97f4a7c15n) % 2n ** 64n,
    }),
  );

const rangeArbitrary: fc.Arbitrary<DayRange> = fc
  .tuple(fc.option(fc.integer({ min: -3, max: 85 })), fc.option(fc.integer({ min: -3, max: 85 })))
  .map(([from, to]) => ({
    from: from === null ? null : dayOf(START + Math.min(from, to ?? from) * MS_PER_DAY),
    to: to === null ? null : dayOf(START + Math.max(from ?? to, to) * MS_PER_DAY),
  }));

type Step =
  | { type: "add"; views: View[]; isElsewhere: boolean }
  | { type: "fold" | "rebuild" | "break" | "tidy" | "refuse" }
  | { type: "reopen"; visitorsMax: number }
  | { type: "settings"; settings: AnalyticsSettings }
  | { type: "race"; views: View[] };

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("add" as const),
      isElsewhere: fc.boolean(),
      views: fc.array(viewArbitrary, { minLength: 1, maxLength: 30 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("fold" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("race" as const),
      views: fc.array(viewArbitrary, { minLength: 1, maxLength: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom("rebuild" as const, "break" as const, "tidy" as const, "refuse" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("reopen" as const), visitorsMax: fc.constantFrom(0, 4, 2_000) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("settings" as const), settings: settingsArbitrary }) },
);

test("after every step every range equals the distinct visitors of the raw views", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArbitrary, { minLength: 1, maxLength: 14 }),
      fc.array(rangeArbitrary, { minLength: 2, maxLength: 3 }),
      fc.integer({ min: 1, max: 5 }),
      async (steps, ranges, limit) => {
        const projectId = await createProject();
        let settings: AnalyticsSettings = {};
        const views: View[] = [];
        for (const step of steps) {
          await take(step);
          for (const range of ranges) {
            const byHand = countByHand(views, settings, range);
            expect(await readAll(projectId, range, limit)).toEqual(byHand.visitors);
            const report = await analytics.reports.views(projectId, range, { limit: 250, offset: 0 });
            expect({ totals: report.totals, paths: report.paths }).toEqual(byHand.views);
            const { days } = await analytics.reports.timeseries(projectId, range);
            expect(days).toEqual(byHand.days);
          }
        }

        async function take(step: Step): Promise<void> {
          switch (step.type) {
            case "add":
              await (step.isElsewhere ? elsewhere : analytics).visits.add({ projectId, views: step.views });
              views.push(...step.views);
              return;
            case "race":
              await Promise.all([
                analytics.visits.add({ projectId, views: step.views }),
                analytics.fold(),
                analytics.fold(),
              ]);
              views.push(...step.views);
              return;
            case "refuse":
              await expect(
                analytics.visits.add({ projectId, views: [view({ time: START })] }, () =>
                  Promise.reject(new Error("no")),
                ),
              ).rejects.toThrow("no");
              return;
            case "settings":
              settings = step.settings;
              await database.database
                .updateTable("projects")
                .set({ settings: JSON.stringify({ analytics: settings }) })
                .where("id", "=", projectId)
                .execute();
              // Until the next round the figures are those of the settings before.
              await analytics.fold();
              return;
            case "fold":
              return await analytics.fold();
            case "rebuild":
              return await analytics.rebuild(projectId);
            case "tidy":
              return await analytics.tidy();
            case "reopen":
              await analytics.close();
              // Tails are summed in two ways, by their size.
              analytics = await open(`owner ${Math.random()}`, step.visitorsMax);
              return;
            case "break": {
              // What a process leaves behind that dies between storing the rows and saying so.
              const [batch = 0] = await createBatches({
                database: database.database,
                owner: "dead",
                isAlone: true,
                clock: () => new Date(NOW),
              }).begin([[{ projectId, views: 1 }]]);
              await engine.insert("views", viewLine(projectId, view({ time: START, path: "/a", visitor: 77n }), batch));
            }
          }
        }
      },
    ),
    { numRuns: 25 },
  );
}, 300_000);

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
