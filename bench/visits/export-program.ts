/**
 * A process of its own with a store of random views, which measures reports while views arrive, and says what it found as JSON on its IPC
 * channel.
 *
 *     node export-program.ts <empty directory> <views>
 */
import { join } from "node:path";
import { createAnalytics } from "../../server/src/analytics/analytics.ts";
import type { Report, PathReport } from "../../server/src/analytics/report/reports.ts";
import { connectStore } from "../../server/src/analytics/store/connect.ts";
import type { View } from "../../server/src/analytics/view.ts";
import { parseConfig } from "../../server/src/config.ts";
import { openControlDatabase } from "../../server/src/control-database.ts";
import { createLog } from "../../server/src/log.ts";
import { readResident } from "../memory.ts";
import { median, timeEach } from "../statistics.ts";
import { seedViews } from "./seed.ts";

export interface ExportNews {
  say?: string;
  done?: {
    seconds: { seed: number; rebuild: number };
    /** Of the report in turn with the raw query, in milliseconds, by the views that arrive a second. */
    exportMs: Record<string, number[]>;
    rawMs: number[];
    isEqual: boolean;
    /** Views folded per second, by the size of the fold. */
    foldRates: Record<string, number>;
    rows: Record<string, { rows: number; bytes: number }>;
    residentBytes: { idle: number; peak: number };
  };
}

const [directory = "", count = "0"] = process.argv.slice(2);
const views = Number(count);
const PROJECT = "prj_1";
/** 1.7 million views a day, and ten times that. */
const ARRIVALS_PER_SECOND = [20, 200];
const LATE_SHARE = 0.01;
const ROUNDS = 10;
const MS_PER_DAY = 86_400_000;

const say = (news: ExportNews): void => void process.send?.(news);
const releases: (() => Promise<void>)[] = [];
const clock = (): Date => new Date();
const log = createLog("warn", process.stderr);
const config = parseConfig({ DOCENT_DATA: directory });
const control = await openControlDatabase(config, {
  releases,
  log: (line) => log.info(line),
  onLost: () => process.exit(1),
});
const engine = await connectStore({
  directory: join(directory, "visits"),
  clickhouseUrl: null,
  clickhouseCluster: null,
});
if (engine === null) throw new Error("There is no chDB for this platform.");
const { database } = control;
const analytics = await createAnalytics({ engine, database, owner: "bench", isAlone: true, clock, log });
await database
  .insertInto("projects")
  .values({ id: PROJECT, name: "Docs", code_host: "builtin", repository: "docs", ref: "main", settings: "{}" })
  .execute();
const idle = (await readResident(process.pid)).now;

const visitors = views / 20;
const lastDay = dayOf(Date.now());
say({ say: `${views.toLocaleString("en")} views` });
const [seedMs = 0] = await timeEach(1, () =>
  seedViews(engine, control.pool, { projectId: PROJECT, views, visitors, paths: 1_000, days: 92, lastDay }),
);
say({ say: "counting them" });
const [rebuildMs = 0] = await timeEach(1, () => analytics.rebuild(PROJECT));

const from = dayOf(Date.now() - 30 * MS_PER_DAY);
const RAW = `select path, uniqExactIf(visitor, class = 'human') as human, uniqExactIf(visitor, class = 'ai') as ai,
  uniqExact(visitor) as total
from {database:Identifier}.views
where project = {project:String} and day >= {from:Date} and class != 'bot' and not missing`;
const raw = (): Promise<[{ path: string; total: string }[], { total: string }[]]> =>
  Promise.all([
    engine.query<{ path: string; total: string }>(`${RAW} group by path order by total desc, path limit 51`, {
      project: PROJECT,
      from,
    }),
    engine.query<{ total: string }>(RAW.replace("select path, ", "select "), { project: PROJECT, from }),
  ]);
const report = (): Promise<Report<PathReport>> =>
  analytics.reports.visitors(PROJECT, { from, to: null }, { limit: 50, offset: 0 });

analytics.startFolding();
const exportMs: Record<string, number[]> = {};
const rawMs: number[] = [];
for (const perSecond of ARRIVALS_PER_SECOND) {
  say({ say: `reports while ${perSecond} views a second arrive` });
  let isArriving = true;
  const arriving = (async () => {
    while (isArriving) {
      await analytics.visits.add({ projectId: PROJECT, views: arrivals(perSecond / 10) });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  await report();
  await raw();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(...(await timeEach(4, report)));
    rawMs.push(...(await timeEach(1, raw)));
  }
  exportMs[perSecond] = times;
  isArriving = false;
  await arriving;
}
const [ours, [theirPaths, theirTotals]] = [await report(), await raw()];
const isEqual =
  JSON.stringify(ours.paths.map(({ path, total }) => [path, total])) ===
    JSON.stringify(theirPaths.slice(0, 50).map(({ path, total }) => [path, Number(total)])) &&
  ours.totals.total === Number(theirTotals[0]?.total);
await analytics.stopFolding();
await analytics.fold();

const foldRates: Record<string, number> = {};
for (const size of [1_000, 100_000, 500_000]) {
  say({ say: `folding ${size.toLocaleString("en")} views` });
  const rates: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (let left = size; left > 0; left -= 50_000) {
      await analytics.visits.add({ projectId: PROJECT, views: arrivals(Math.min(left, 50_000)) });
    }
    const [foldMs = 0] = await timeEach(1, () => analytics.fold());
    rates.push(size / (foldMs / 1_000));
  }
  foldRates[size] = median(rates);
}

const tables = await engine.query<{ table: string; rows: string; bytes: string }>(
  `select table, sum(rows) as rows, sum(bytes_on_disk) as bytes from system.parts
  where active and database = {database:String} group by table`,
);
say({
  done: {
    seconds: { seed: seedMs / 1_000, rebuild: rebuildMs / 1_000 },
    exportMs,
    rawMs,
    isEqual,
    foldRates,
    rows: Object.fromEntries(
      tables.map(({ table, rows, bytes }) => [table, { rows: Number(rows), bytes: Number(bytes) }]),
    ),
    residentBytes: { idle, peak: (await readResident(process.pid)).peak },
  },
});
await analytics.close();
await engine.close();
for (const release of releases.toReversed()) await release();

function arrivals(size: number): View[] {
  return Array.from({ length: size }, () => {
    const isLate = Math.random() < LATE_SHARE;
    const isAi = Math.random() < 0.1;
    return {
      time: Date.now() - (isLate ? Math.floor(Math.random() * 90) * MS_PER_DAY : 0),
      visitor: BigInt.asUintN(64, BigInt(Math.floor(Math.random() * visitors)) * 0x9e3779b97f4a7c15n),
      path: `/docs/page-${Math.floor(Math.random() ** 3 * 1_000)}`,
      class: isAi ? "ai" : "human",
      purpose: isAi ? "assistant" : "none",
      agent: isAi ? "ChatGPT-User" : "",
      source: "tracker",
      isMissing: false,
      referrer: "",
    };
  });
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
