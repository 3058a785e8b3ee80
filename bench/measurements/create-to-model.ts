import { timeBarePosts } from "../bare/http.ts";
import { measureBareInserts } from "../bare/postgres.ts";
import type { Bench, Measurement } from "../measurement.ts";
import { timeJob } from "../project.ts";
import { setStage } from "../stage.ts";
import { formatMs, median, percentile } from "../statistics.ts";

const WARM_UP = 20;
const JOBS = 200;
const AIM_MS = 50;

/** From just before the create request is sent until its prompt has arrived at the model, one job at a time. */
export const createToModel: Measurement = {
  name: "create",
  async run(bench: Bench) {
    const posts = median(await timeBarePosts(bench.processes, 200));
    const inserts = await measureBareInserts(bench.directory, 200);
    const { model, project, nextOrder } = await setStage(bench);
    for (let index = 0; index < WARM_UP; index += 1) await timeJob(project, nextOrder().prompt);

    bench.say(`${JOBS} jobs, one at a time`);
    const times: number[] = [];
    for (let index = 0; index < JOBS; index += 1) {
      const { id, prompt } = nextOrder();
      const beganNs = process.hrtime.bigint();
      const [job, arrivedNs] = await Promise.all([
        project.docent.jobs.create(project.id, { prompt }),
        model.firstRequest(id),
      ]);
      times.push(Number(arrivedNs - beganNs) / 1e6);
      // The next one starts on an idle service.
      await project.docent.jobs.waitFor(project.id, job.id, { pollMs: 20 });
    }
    const p50 = median(times);
    return [
      {
        what: "create → first model request, warm mirror, p50 (p99)",
        aim: `≤ ${AIM_MS} ms`,
        figure: `${formatMs(p50)} (${formatMs(percentile(times, 0.99))})`,
        met: p50 <= AIM_MS,
        machine: `bare Fastify POST ${formatMs(posts)}, durable insert ${formatMs(median(inserts.times))}`,
      },
    ];
  },
};
