import autocannon from "autocannon";
import { startBareServer } from "../bare/http.ts";
import type { Bench, Measurement } from "../measurement.ts";
import { timeJob } from "../project.ts";
import { setStage } from "../stage.ts";
import { median } from "../statistics.ts";

const CONNECTIONS = 50;
const SECONDS = 4;
const ROUNDS = 5;
const AIM_RATIO = 0.5;

/** Requests per second for a job, against a bare Fastify that answers the same bytes, turn by turn in one run. */
export const jobGet: Measurement = {
  name: "get",
  async run(bench: Bench) {
    const { service, project, nextOrder } = await setStage(bench);
    const { job } = await timeJob(project, nextOrder().prompt);
    const url = `${service.url}/v2/agent/${project.id}/job/${job.id}`;
    const headers = { authorization: `Bearer ${project.key}` };
    const bytes = await (await fetch(url, { headers })).text();
    const bare = await startBareServer(bench.processes, bytes);

    await rate(url, headers);
    await rate(bare.url, headers);
    const rounds: { ours: number; bare: number }[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      bench.say(`round ${round} of ${ROUNDS}`);
      rounds.push({ ours: await rate(url, headers), bare: await rate(bare.url, headers) });
    }
    const ratio = median(rounds.map((round) => round.ours / round.bare));
    const ours = Math.round(median(rounds.map((round) => round.ours)));
    const theirs = Math.round(median(rounds.map((round) => round.bare)));
    return [
      {
        what: "GET of a job, of a bare Fastify GET of the same bytes",
        aim: `≥ ${AIM_RATIO}×`,
        figure: `${ratio.toFixed(2)}× (${ours.toLocaleString("en")}/s)`,
        met: ratio >= AIM_RATIO,
        machine: `bare Fastify GET ${theirs.toLocaleString("en")}/s`,
      },
    ];
  },
};

/** @throws Error when any answer was not a success. */
async function rate(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers of ${url} were no success, and ${result.errors} requests failed.`);
  }
  return result.requests.average;
}
