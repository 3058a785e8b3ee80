import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDocent } from "@docent/sdk";
import type { Bench, Measurement, Row } from "../measurement.ts";
import { readResident, watchChildren } from "../memory.ts";
import { startModel } from "../model.ts";
import { toPrompt } from "../order.ts";
import { createProject, followJob, timeJob, type BenchProject } from "../project.ts";
import { createBigRepository } from "../repository/big.ts";
import { GUIDE_PAGES, pageEdit, PAGES, TERM } from "../repository/pages.ts";
import { scriptedModelSettings, startService } from "../service.ts";
import { formatMb, median } from "../statistics.ts";

const LATER_JOBS = 5;
const SAMPLE_MS = 50;

/** A repository of 1 GB with 5,000 pages: its import, the first job, later jobs, a replacement all over it, memory and disk. */
export const bigRepository: Measurement = {
  name: "big",
  isBig: true,
  async run(bench: Bench) {
    bench.say("writing a repository of 1 GB");
    const repository = join(bench.directory, "acme.git");
    await createBigRepository(repository);
    const repositoryBytes = await diskUsage(repository);
    const model = await startModel(bench.processes);
    const service = await startService(bench, scriptedModelSettings(model.url));
    const children = watchChildren(service.pid, SAMPLE_MS);

    bench.say("importing it");
    const importBegan = performance.now();
    const project = await createProject(service, "Acme", repository);
    const importMs = performance.now() - importBegan;
    const afterImport = await readResident(service.pid);

    bench.say("one-page edits");
    const edit = async (index: number): Promise<number> =>
      (await timeJob(project, toPrompt({ id: `page-${index}`, edit: pageEdit(index) }))).ms;
    const firstMs = await edit(4_321);
    const laterMs: number[] = [];
    for (let job = 0; job < LATER_JOBS; job += 1) laterMs.push(await edit(job * 777));
    const serve = await readResident(service.pid);
    const beside = await children.stop();
    const largest = [...beside.largest].map(([program, bytes]) => `one ${program} ${formatMb(bytes)}`);
    await service.stop();

    const rows = [
      row("import", formatSeconds(importMs), `repository ${formatMb(repositoryBytes)}`),
      row("first job, one page edited", formatSeconds(firstMs)),
      row("later jobs, one page edited, p50", formatSeconds(median(laterMs))),
      row(
        "peak RSS of serve",
        formatMb(serve.peak),
        `after the import ${formatMb(afterImport.peak)}; beside it ${largest.join(", ")}, all at once ${formatMb(beside.sum)}`,
      ),
      ...(await measureReplacements(bench, project)),
    ];
    const data = join(bench.directory, "data");
    const [all, database] = [await diskUsage(data), await diskUsage(join(data, "postgres"))];
    return [...rows, row("disk of the data directory", formatMb(all), `PostgreSQL ${formatMb(database)} of it`)];
  },
};

/** The offline model replaces a term that stands nine times on every page. */
async function measureReplacements(bench: Bench, { id, key }: BenchProject): Promise<Row[]> {
  const service = await startService(bench, { DOCENT_MODEL: "docent:offline" });
  const project = { id, key, docent: createDocent({ baseUrl: service.url, apiKey: key }) };
  const rows: Row[] = [];
  for (const [pages, where] of [
    [GUIDE_PAGES, " in guides/**"],
    [PAGES, ""],
  ] as const) {
    bench.say(`replacing a term on ${pages} pages`);
    const { ms, job } = await followJob(project, `replace "${TERM}" with "Acme Portal"${where}`);
    const ended = job.prLink === null ? `${job.status}: ${job.failureReason ?? "nothing changed"}` : "a pull request";
    const { peak } = await readResident(service.pid);
    const what = `offline \`replace\` on ${pages.toLocaleString("en")} pages`;
    rows.push(row(what, formatSeconds(ms), `${ended}; peak RSS of serve ${formatMb(peak)}`));
  }
  await service.stop();
  return rows;
}

function row(what: string, figure: string, machine: string | null = null): Row {
  return { what: `1 GB, 5,000 pages: ${what}`, aim: null, figure, met: null, machine };
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}

async function diskUsage(directory: string): Promise<number> {
  const { stdout } = await promisify(execFile)("du", ["-sk", directory]);
  return Number.parseInt(stdout, 10) * 1024;
}
