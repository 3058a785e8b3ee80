import { fork } from "node:child_process";
import { join } from "node:path";
import type { Bench, Measurement, Row } from "../measurement.ts";
import { formatMb, formatMs, median, percentile } from "../statistics.ts";
import type { ExportNews } from "../visits/export-program.ts";

const AIM_RATIO = 40;
const AIM_GROWTH = 1.5;

type Found = NonNullable<ExportNews["done"]>;

/** The export of a month from 10 million views, against counting the raw rows, while views arrive and are folded. */
export const visitorsExport: Measurement = {
  name: "export",
  async run(bench: Bench) {
    return rowsOf("10 M views", await measure(bench, 10_000_000));
  },
};

/** The same from 100 million views, and how much slower that is. */
export const visitorsExportBig: Measurement = {
  name: "export-big",
  isBig: true,
  async run(bench: Bench) {
    const ten = await measure(bench, 10_000_000);
    const hundred = await measure(bench, 100_000_000);
    const growth = median(exportMs(hundred, 20)) / median(exportMs(ten, 20));
    return [
      ...rowsOf("100 M views", hundred),
      {
        what: "the same from 10 M to 100 M views",
        aim: `≤ ${AIM_GROWTH}× slower`,
        figure: `${growth.toFixed(2)}×`,
        met: growth <= AIM_GROWTH,
        machine: null,
      },
    ];
  },
};

function rowsOf(size: string, found: Found): Row[] {
  const uniqExact = median(found.rawMs);
  const rate = (views: string): string => `${Math.round(found.foldRates[views] ?? 0).toLocaleString("en")}/s`;
  const table = (name: string): string =>
    `${((found.rows[name]?.rows ?? 0) / 1e6).toFixed(1)} M rows, ${formatMb(found.rows[name]?.bytes ?? 0)}`;
  return [
    ...[20, 200].map((perSecond): Row => {
      const times = exportMs(found, perSecond);
      const ratio = uniqExact / median(times);
      return {
        what: `export of 31 days by page, ${size}, ${perSecond} views a second arriving and being folded: faster than uniqExact over the raw rows`,
        aim: `≥ ${AIM_RATIO}×, equal`,
        figure: `${ratio.toFixed(0)}×, ${found.isEqual ? "equal" : "NOT EQUAL"}`,
        met: ratio >= AIM_RATIO && found.isEqual,
        machine: `p50 ${formatMs(median(times))}, p99 ${formatMs(percentile(times, 0.99))}; uniqExact ${formatMs(uniqExact)}`,
      };
    }),
    {
      what: `folding, ${size}: 1,000, 100,000, 500,000 views at once`,
      aim: null,
      figure: `${rate("1000")}, ${rate("100000")}, ${rate("500000")}`,
      met: null,
      machine: null,
    },
    {
      what: `counting ${size} from the start (rebuild)`,
      aim: null,
      figure: `${found.seconds.rebuild.toFixed(0)} s`,
      met: null,
      machine: `views ${table("views")}; counts ${table("counts")}; RSS idle ${formatMb(found.residentBytes.idle)}, at most ${formatMb(found.residentBytes.peak)}`,
    },
  ];
}

function exportMs(found: Found, perSecond: number): number[] {
  return found.exportMs[perSecond] ?? [];
}

async function measure(bench: Bench, views: number): Promise<Found> {
  const program = new URL("../visits/export-program.ts", import.meta.url);
  const child = fork(program, [join(bench.directory, `store-${views}`), String(views)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  bench.processes.onStop(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  return await new Promise<Found>((resolve, reject) => {
    let found: Found | undefined;
    child.on("message", (news: ExportNews) => {
      if (news.say !== undefined) bench.say(news.say);
      found ??= news.done;
    });
    void ended.then(() => (found === undefined ? reject(new Error("The program ended early.")) : resolve(found)));
  });
}
