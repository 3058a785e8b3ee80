import { setTimeout as delay } from "node:timers/promises";
import { measureBareCommits } from "../bare/git.ts";
import { measureBareInserts } from "../bare/postgres.ts";
import { readServiceCpuTime } from "../cpu-time.ts";
import type { Bench, Measurement } from "../measurement.ts";
import { timeJob } from "../project.ts";
import { setStage, type Stage } from "../stage.ts";
import { formatMs, inParallel, median, percentile } from "../statistics.ts";

const WARM_UP = 20;
const JOBS_ALONE = 100;
const JOBS_TOGETHER = 200;
const ROUNDS = 3;
/** Requests to create jobs that are under way at a time; the service works on 25 jobs of a project at a time, as it does by default. */
const CREATES_TOGETHER = 8;
const AIM_PER_SECOND = 20;
const AIM_MS = 150;

/** A job in two steps (read and edit a page, then finish), from the create request to its pull request. */
export const twoStepJob: Measurement = {
  name: "job",
  async run(bench: Bench) {
    const commits = await measureBareCommits(bench.directory, 100);
    const inserts = await measureBareInserts(bench.directory, 200);
    const stage = await setStage(bench);
    const { project, nextOrder } = stage;
    for (let index = 0; index < WARM_UP; index += 1) await timeJob(project, nextOrder().prompt);

    bench.say(`${JOBS_ALONE} jobs, one at a time`);
    const requestsBefore = stage.model.requests();
    const times: number[] = [];
    for (let index = 0; index < JOBS_ALONE; index += 1) times.push((await timeJob(project, nextOrder().prompt)).ms);
    const steps = (stage.model.requests() - requestsBefore) / JOBS_ALONE;
    if (steps !== 2) throw new Error(`The jobs should have taken two steps and took ${steps}.`);

    const cpuBefore = await readServiceCpuTime(stage.service);
    const rates: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      bench.say(`${JOBS_TOGETHER} jobs at once, round ${round} of ${ROUNDS}`);
      rates.push(await rateOfBurst(stage));
    }
    const cpuAfter = await readServiceCpuTime(stage.service);
    const cpuOf = (part: keyof typeof cpuAfter): number =>
      (cpuAfter[part] - cpuBefore[part]) / (ROUNDS * JOBS_TOGETHER);
    const cpu = cpuOf("serve") + cpuOf("children") + cpuOf("postgres");
    const p50 = median(times);
    const rate = median(rates);
    return [
      {
        what: "two-step job to its pull request, saturated",
        aim: `≥ ${AIM_PER_SECOND}/s`,
        figure: `${rate.toFixed(1)}/s`,
        met: rate >= AIM_PER_SECOND,
        machine: `bare commit-tree + update-ref ${Math.round(commits.perSecond)}/s, durable inserts ${Math.round(inserts.perSecond).toLocaleString("en")}/s`,
      },
      {
        what: "the same, one at a time, p50 (p99)",
        aim: `≤ ${AIM_MS} ms`,
        figure: `${formatMs(p50)} (${formatMs(percentile(times, 0.99))})`,
        met: p50 <= AIM_MS,
        machine: `bare commit-tree + update-ref ${formatMs(median(commits.times))}, durable insert ${formatMs(median(inserts.times))}`,
      },
      {
        what: "processor time of a two-step job",
        aim: null,
        figure: formatMs(cpu),
        met: null,
        machine: `serve ${formatMs(cpuOf("serve"))}, git and page parser ${formatMs(cpuOf("children"))}, PostgreSQL ${formatMs(cpuOf("postgres"))}`,
      },
    ];
  },
};

/** Jobs per second from the first create request until none is active; all must have their pull request. */
async function rateOfBurst({ project, nextOrder }: Stage): Promise<number> {
  const { jobs } = project.docent;
  const ids = new Set<string>();
  const began = performance.now();
  await inParallel(JOBS_TOGETHER, CREATES_TOGETHER, async () => {
    ids.add((await jobs.create(project.id, { prompt: nextOrder().prompt })).id);
  });
  while ((await jobs.list(project.id, { status: "active", limit: 1 })).jobs.length > 0) await delay(20);
  const seconds = (performance.now() - began) / 1000;
  let linked = 0;
  for await (const job of jobs.all(project.id)) if (ids.has(job.id) && job.prLink !== null) linked += 1;
  if (linked !== JOBS_TOGETHER) throw new Error(`${JOBS_TOGETHER - linked} jobs ended without a pull request.`);
  return JOBS_TOGETHER / seconds;
}
