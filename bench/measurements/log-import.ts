import { execFile, spawnSync } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDocent } from "@docent/sdk";
import { SAMPLE, writeSampleLog } from "../../scripts/sample-log/sample-log.ts";
import type { Bench, Measurement, Row } from "../measurement.ts";
import { startService } from "../service.ts";
import { median } from "../statistics.ts";

const run = promisify(execFile);
const ROUNDS = 3;
const LINES_MIN = 1_000_000;

/** The command that imports a log, against GoAccess reading the same file. */
export const logImport: Measurement = {
  name: "import",
  async run(bench: Bench) {
    const service = await startService(bench, {});
    const admin = createDocent({ baseUrl: service.url, adminToken: service.adminToken });
    const file = join(bench.directory, "access.log");
    const lines = await writeLog(file);
    const hasGoAccess = spawnSync("goaccess", ["--version"]).status === 0;
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      bench.say(`round ${round} of ${ROUNDS}`);
      // Each in a project of its own, since a log counts once.
      const { id } = await admin.projects.create({ name: `Docs ${round}` });
      const { key } = await admin.keys.create(id, { name: "bench", scope: "collect" });
      ours.push(await linesPerSecond(lines, () => importLog(bench, file, { url: service.url, id, key })));
      if (hasGoAccess) {
        const output = join(bench.directory, "goaccess.json");
        const options = ["--log-format=COMBINED", "--no-global-config", "--no-progress", "-o", output];
        theirs.push(await linesPerSecond(lines, () => run("goaccess", [file, ...options])));
      }
    }
    return [row(lines, median(ours), hasGoAccess ? median(theirs) : undefined)];
  },
};

function row(lines: number, ours: number, theirs: number | undefined): Row {
  return {
    what: `import of ${lines.toLocaleString("en")} lines of a combined log, of GoAccess's lines a second`,
    aim: "≥ 1×",
    figure: theirs === undefined ? format(ours) : `${(ours / theirs).toFixed(2)}× (${format(ours)})`,
    met: theirs === undefined ? null : ours >= theirs,
    machine:
      theirs === undefined ? "GoAccess is not installed here (apt install goaccess)" : `GoAccess ${format(theirs)}`,
  };
}

function format(rate: number): string {
  return `${Math.round(rate).toLocaleString("en")} lines/s`;
}

/** The sample log again and again, as if each time were another day's: no line is another's twin. */
async function writeLog(file: string): Promise<number> {
  const sample = writeSampleLog(SAMPLE);
  const count = sample.split("\n").length - 1;
  const handle = await open(file, "w");
  let lines = 0;
  for (let year = 1990; lines < LINES_MIN; year = year === 2025 ? 1990 : year + 1) {
    await handle.write(sample.replaceAll(/\/\d{4}:/g, `/${year}:`));
    lines += count;
  }
  await handle.close();
  return lines;
}

async function importLog(bench: Bench, file: string, to: { url: string; id: string; key: string }): Promise<void> {
  await run(process.execPath, [join(bench.root, "cli/src/main.ts"), "import", file, "--project", to.id], {
    env: { PATH: process.env["PATH"], DOCENT_URL: to.url, DOCENT_API_KEY: to.key },
  });
}

async function linesPerSecond(lines: number, task: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await task();
  return lines / ((performance.now() - began) / 1_000);
}
