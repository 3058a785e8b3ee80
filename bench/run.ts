import "../server/src/version-guard.ts";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { describeLoad, describeMachine } from "./machine.ts";
import type { Measurement, Row } from "./measurement.ts";
import { bigRepository } from "./measurements/big-repository.ts";
import { collect } from "./measurements/collect.ts";
import { createToModel } from "./measurements/create-to-model.ts";
import { gitProcesses } from "./measurements/git-processes.ts";
import { jobGet } from "./measurements/job-get.ts";
import { logImport } from "./measurements/log-import.ts";
import { twoStepJob } from "./measurements/two-step-job.ts";
import { visitorsExport, visitorsExportBig } from "./measurements/visitors-export.ts";
import { waitingJobs } from "./measurements/waiting-jobs.ts";
import { createProcesses } from "./processes.ts";
import { formatTable } from "./table.ts";

const MEASUREMENTS: readonly Measurement[] = [
  createToModel,
  twoStepJob,
  waitingJobs,
  jobGet,
  gitProcesses,
  visitorsExport,
  collect,
  logImport,
  bigRepository,
  visitorsExportBig,
];

const USAGE = `Usage: npm run bench -- [options]

Measures the service on this machine and prints one table. Every measurement starts a service of its own, on an
empty data directory, with an instant model in a process beside it.

  --only <names>       of ${MEASUREMENTS.map(({ name }) => name).join(", ")}; separated by commas
  --big                also the big repository and 100 M views: a quarter of an hour, and 8 GB of disk
  --profile <dir>      write CPU profiles of the service there
  --directory <dir>    where the temporary data goes (default: ${tmpdir()})
`;

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    big: { type: "boolean", default: false },
    profile: { type: "string" },
    directory: { type: "string", default: tmpdir() },
    help: { type: "boolean", default: false },
  },
});
const chosen = choose();
if (values.help || chosen === undefined) {
  process.stdout.write(USAGE);
  process.exit(values.help ? 0 : 2);
}

const processes = createProcesses();
let directory: string | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void clean().finally(() => process.exit(130)));
}
if (values.profile !== undefined) await mkdir(values.profile, { recursive: true });

const rows: Row[] = [];
const loadBefore = describeLoad();
for (const measurement of chosen) {
  directory = await mkdtemp(join(values.directory, "docent-bench-"));
  const say = (line: string): void => void process.stderr.write(`${measurement.name}: ${line}\n`);
  say("starting");
  try {
    const profileDirectory = values.profile === undefined ? undefined : resolve(values.profile);
    rows.push(...(await measurement.run({ root, directory, profileDirectory, processes, say })));
  } catch (error) {
    process.exitCode = 1;
    const reason = error instanceof Error ? error.message : String(error);
    rows.push({ what: measurement.name, aim: null, figure: `failed: ${reason}`, met: null, machine: null });
  } finally {
    await clean();
  }
}
const load = `${loadBefore} before, ${describeLoad()} at the end`;
process.stdout.write(`\n${await describeMachine()}\n${load}\n\n${formatTable(rows)}\n`);

function choose(): readonly Measurement[] | undefined {
  if (values.only === undefined) return MEASUREMENTS.filter(({ isBig }) => isBig !== true || values.big);
  const names = values.only.split(",");
  const found = MEASUREMENTS.filter(({ name }) => names.includes(name));
  return found.length === names.length ? found : undefined;
}

async function clean(): Promise<void> {
  await processes.stopAll();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
