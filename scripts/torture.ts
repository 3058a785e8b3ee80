import "../server/src/version-guard.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { runApiDeaths } from "../server/src/jobs/torture/api-deaths.ts";
import { runEmbedded } from "../server/src/jobs/torture/embedded.ts";
import { describeViolations, enumerate, type EnumerationOptions } from "../server/src/jobs/torture/enumerate.ts";
import { pointKey, type Point } from "../server/src/jobs/torture/point.ts";
import { runPoisonousJob } from "../server/src/jobs/torture/poison.ts";
import { runRandomKills } from "../server/src/jobs/torture/random-kills.ts";
import { startTortureServer, stopServersUnder } from "../server/src/jobs/torture/server.ts";
import { FOLLOW_UP, SHAPES } from "../server/src/jobs/torture/shape.ts";
import { createStage, type Topology } from "../server/src/jobs/torture/stage.ts";
import { runTakeover } from "../server/src/jobs/torture/takeover.ts";

const HELP = `npm run torture -- [--seed <number>] [--only <words in a part's name>] [--verbose]

Kills workers of Docent at every point where they touch anything outside their memory, and at random moments, and looks
at what became of their jobs. Takes about half an hour on two cores. Exits with 1 when anything was wrong.`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", default: "" },
    verbose: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const seed = Number(values.seed);
const directory = await mkdtemp(join(tmpdir(), "docent-torture-"));
// Everything that a run makes lies in one directory.
process.env["TMPDIR"] = directory;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void cleanUp().finally(() => process.exit(1));
  });
}
const server = await startTortureServer();
const childEnvironment = { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: join(directory, "cache") };
const common = { postgresUrl: server.url, childEnvironment };
const totals = { points: 0, deaths: 0, stops: 0, jobs: 0, faults: 0 };

async function cleanUp(): Promise<void> {
  await stopServersUnder(directory);
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

interface Outcome {
  /** The report, one line each. */
  lines: string[];
  violations: readonly string[];
}

/** One part of the torture, with its report. */
async function part(name: string, run: () => Promise<Outcome>): Promise<void> {
  if (!name.includes(values.only)) return;
  const started = performance.now();
  let outcome: Outcome;
  try {
    outcome = await run();
  } catch (error) {
    outcome = { lines: [], violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  }
  const { lines, violations } = outcome;
  const mark = violations.length === 0 ? styleText("green", "✓") : styleText("red", "✗");
  console.log(`${mark} ${name}  ${styleText("dim", `${((performance.now() - started) / 1000).toFixed(0)} s`)}`);
  for (const line of lines) console.log(`    ${line}`);
  for (const violation of violations) console.log(styleText("red", violation.replace(/^/gm, "    ")));
  totals.faults += violations.length;
}

function news(line: string): void {
  if (values.verbose) console.log(styleText("dim", `      ${line}`));
}

type Enumerated = Pick<EnumerationOptions, "shape" | "topology" | "action" | "moments"> & Partial<EnumerationOptions>;

async function enumerated(options: Enumerated): Promise<Outcome> {
  const { points, lives } = await enumerate({
    lanes: availableParallelism() + 1,
    ...common,
    ...options,
    onLife: ({ order, violations, seconds }) => {
      news(
        `${violations.length === 0 ? "✓" : "✗"} ${seconds.toFixed(1)} s, ${order?.moment} ${order && pointKey(order)}`,
      );
    },
  });
  totals.points += points.length;
  totals.jobs += lives.length + 1;
  if (options.action === "kill") totals.deaths += lives.length;
  else totals.stops += lives.length;
  const moments = options.moments.join(", ");
  const lines = [`${points.length} points, ${lives.length} jobs: ${options.action} ${moments} each`];
  if (options.moments.length > 1) lines.push(...listPoints(points));
  return { lines, violations: describeViolations(lives) };
}

function listPoints(points: readonly Point[]): string[] {
  const counts = new Map<string, number>();
  for (const { name, occurrence } of points) counts.set(name, Math.max(occurrence, counts.get(name) ?? 0));
  return [...counts].map(([name, count]) => styleText("dim", `${String(count).padStart(3)} × ${name}`));
}

console.log(`Torture, seed ${seed}, ${availableParallelism()} cores\n`);
const started = performance.now();
try {
  await part("kill -9 at every point, the repository in place", () =>
    enumerated({ shape: FOLLOW_UP, topology: "in place", action: "kill", moments: ["before", "during", "after"] }),
  );
  await part("kill -9 at every point, the repository over HTTP, going on here and elsewhere by turns", () =>
    enumerated({ shape: FOLLOW_UP, topology: "over HTTP", action: "kill", moments: ["before", "during", "after"] }),
  );
  for (const [index, shape] of SHAPES.filter((each) => each !== FOLLOW_UP).entries()) {
    const topology: Topology = index % 2 === 0 ? "over HTTP" : "in place";
    await part(`kill -9 after every point that settles something: ${shape.name} (${topology})`, () =>
      enumerated({ shape, topology, action: "kill", moments: ["after"], only: ({ effect }) => effect === "settles" }),
    );
  }
  await part("SIGSTOP at every point that settles something, woken when another has finished", () =>
    enumerated({
      shape: FOLLOW_UP,
      topology: "over HTTP",
      action: "stop",
      moments: ["before", "after"],
      only: ({ effect }) => effect === "settles",
      lanes: availableParallelism() + 2,
    }),
  );
  await part("kill -9 of the API's server at every write", async () => {
    const { points, lives, violations } = await runApiDeaths({
      ...common,
      moments: ["before", "during", "after"],
      onLife: news,
    });
    totals.points += points.length;
    totals.deaths += lives;
    return { lines: [`${points.length} points, ${lives} deaths`, ...listPoints(points)], violations };
  });
  await part("a job that kills its worker each time", async () => {
    const stage = await createStage({ ...common, topology: "over HTTP" });
    try {
      const { deaths, reason, violations } = await runPoisonousJob(stage);
      totals.deaths += deaths;
      return { lines: [`after ${deaths} deaths: ${reason}`], violations };
    } finally {
      await stage.close();
    }
  });
  await part("two workers on one PostgreSQL, one killed in the middle of a turn", async () => {
    const stage = await createStage({ ...common, topology: "over HTTP" });
    try {
      const { goesOnMs, finishesMs, violations } = await runTakeover(stage);
      totals.deaths += 1;
      const line = `the other goes on after ${(goesOnMs / 1000).toFixed(1)} s and finishes after ${(finishesMs / 1000).toFixed(1)} s`;
      return {
        lines: [line],
        violations: finishesMs > 15_000 ? [...violations, "It took more than 15 s."] : violations,
      };
    } finally {
      await stage.close();
    }
  });
  await part("kill -9 of serve with the embedded database, jobs over HTTP", async () => {
    const run = await runEmbedded({ childEnvironment, seed, jobs: 15, kills: 30, onNews: news });
    totals.deaths += run.kills;
    totals.jobs += 15;
    const sorted = run.goesOnMs.toSorted((a, b) => a - b);
    return {
      lines: [
        `15 jobs, ${run.kills} kills, ${run.unanswered} requests made again`,
        `a job goes on after "ready" in ${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)} ms (${sorted.length} times)`,
        `a second serve (exit code ${run.refusal.code}): ${run.refusal.output}`,
      ],
      violations: [
        ...run.violations,
        ...(run.refusal.code === 1 && !run.refusal.output.includes("\n")
          ? []
          : ["The second serve was not refused in one line."]),
      ],
    };
  });
  await part("100 random moments across 30 jobs on three workers", async () => {
    const run = await runRandomKills({
      ...common,
      seed,
      jobs: 30,
      kills: 100,
      workers: 3,
      stopsShare: 0.12,
      onNews: news,
    });
    totals.deaths += run.kills;
    totals.stops += run.stops;
    totals.jobs += run.jobs;
    return {
      lines: [`${run.jobs} jobs, ${run.messages} messages, ${run.kills} SIGKILLs, ${run.stops} SIGSTOPs`],
      violations: run.violations,
    };
  });
} finally {
  await cleanUp();
}
const { points, deaths, stops, jobs, faults } = totals;
console.log(
  `\n${points} points, ${jobs} jobs, ${deaths} deaths and ${stops} stops in ${((performance.now() - started) / 60_000).toFixed(1)} minutes: ` +
    (faults === 0 ? styleText("green", "nothing wrong") : styleText("red", `${faults} faults`)),
);
process.exitCode = faults === 0 ? 0 : 1;
