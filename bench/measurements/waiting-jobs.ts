import { setTimeout as delay } from "node:timers/promises";
import type { Bench, Measurement } from "../measurement.ts";
import { readProportional, readResident } from "../memory.ts";
import { databaseProcesses, readTree } from "../process-tree.ts";
import { createProject } from "../project.ts";
import type { Service } from "../service.ts";
import { setStage } from "../stage.ts";
import { formatMb } from "../statistics.ts";

const JOBS = 100;
/** The service works on 25 jobs of a project at a time by default, so 100 take four projects. */
const PROJECTS = 4;
const SETTLE_MS = 5_000;
const AIM_BYTES = 150 * 1024 * 1024;

/** Memory of the service while 100 jobs wait for their model's first answer, over its memory before the first job. */
export const waitingJobs: Measurement = {
  name: "waiting",
  async run(bench: Bench) {
    const { service, model, sample, project, nextOrder } = await setStage(bench);
    const projects = [project];
    while (projects.length < PROJECTS) {
      projects.push(await createProject(service, `Lantern ${projects.length + 1}`, sample.directory));
    }
    await delay(SETTLE_MS);
    const idle = await readMemory(service);

    bench.say(`${JOBS} jobs that wait for their model`);
    const orders: { id: string; jobId: string; projectIndex: number }[] = [];
    for (let index = 0; index < JOBS; index += 1) {
      const { id, prompt } = nextOrder({ hold: true });
      const owner = projects[index % PROJECTS] ?? project;
      const { id: jobId } = await owner.docent.jobs.create(owner.id, { prompt });
      orders.push({ id, jobId, projectIndex: index % PROJECTS });
    }
    await Promise.all(orders.map(({ id }) => model.firstRequest(id)));
    await delay(SETTLE_MS);
    const waiting = await readMemory(service);

    // They do come to their end: what was measured were live jobs.
    const releasing = setInterval(() => model.release(), 100);
    for (const { jobId, projectIndex } of orders) {
      const owner = projects[projectIndex] ?? project;
      const job = await owner.docent.jobs.waitFor(owner.id, jobId, { pollMs: 50, timeoutMs: 120_000 });
      if (job.prLink === null) throw new Error(`A waiting job ended as ${job.status}: ${job.failureReason}`);
    }
    clearInterval(releasing);

    const over = waiting.serve - idle.serve;
    return [
      {
        what: `${JOBS} jobs waiting on their model: serve's RSS over idle`,
        aim: `≤ ${formatMb(AIM_BYTES)}`,
        figure: formatMb(over),
        met: over <= AIM_BYTES,
        machine: `idle ${formatMb(idle.serve)}; serve + git + PostgreSQL (PSS) ${formatMb(idle.all)} → ${formatMb(waiting.all)}`,
      },
    ];
  },
};

async function readMemory(service: Service): Promise<{ serve: number; all: number }> {
  // Started by the service, PostgreSQL is in its tree too.
  const pids = new Set([...(await readTree(service.pid)), ...(await databaseProcesses(service))]);
  return { serve: (await readResident(service.pid)).now, all: await readProportional([...pids]) };
}
