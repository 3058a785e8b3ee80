import autocannon from "autocannon";
import { createDocent } from "@docent/sdk";
import { startBareServer } from "../bare/http.ts";
import type { Bench, Measurement } from "../measurement.ts";
import { readResident } from "../memory.ts";
import { startService } from "../service.ts";
import { formatMb, formatMs, median } from "../statistics.ts";

const SECONDS = 4;
const ROUNDS = 3;
// Each waits for its group to be stored, so few of them would measure the pause between groups.
const CONNECTIONS = 600;
const BATCH_EVENTS = 1_000;
const BATCH_CONNECTIONS = 32;

const BROWSER =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** Views that come in, one a request and a thousand a request, against a bare Fastify that takes the same bodies. */
export const collect: Measurement = {
  name: "collect",
  async run(bench: Bench) {
    const service = await startService(bench, {});
    const admin = createDocent({ baseUrl: service.url, adminToken: service.adminToken });
    const { id } = await admin.projects.create({ name: "Docs" });
    const { key } = await admin.keys.create(id, { name: "bench", scope: "collect" });
    const bare = await startBareServer(bench.processes, JSON.stringify({ accepted: 1, rejected: [] }));
    const ours = { url: `${service.url}/v1/collect/${id}`, headers: { authorization: `Bearer ${key}` } };
    const idle = (await readResident(service.pid)).now;

    const one = JSON.stringify(event(1));
    await rate(ours, one, CONNECTIONS);
    await rate(bare, one, CONNECTIONS);
    const rounds: { ours: Load; bare: Load }[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      bench.say(`one event a request, round ${round} of ${ROUNDS}`);
      rounds.push({ ours: await rate(ours, one, CONNECTIONS), bare: await rate(bare, one, CONNECTIONS) });
    }
    const ratio = median(rounds.map((round) => round.ours.perSecond / round.bare.perSecond));
    const p99 = median(rounds.map((round) => round.ours.p99));

    const batch = JSON.stringify(Array.from({ length: BATCH_EVENTS }, (_, index) => event(index)));
    await rate(ours, batch, BATCH_CONNECTIONS);
    const batches: { ours: Load; bare: Load }[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      bench.say(`${BATCH_EVENTS} events a request, round ${round} of ${ROUNDS}`);
      batches.push({
        ours: await rate(ours, batch, BATCH_CONNECTIONS),
        bare: await rate(bare, batch, BATCH_CONNECTIONS),
      });
    }
    const eventsPerSecond = median(batches.map((round) => round.ours.perSecond)) * BATCH_EVENTS;
    const bareEvents = median(batches.map((round) => round.bare.perSecond)) * BATCH_EVENTS;
    const { now, peak } = await readResident(service.pid);
    return [
      {
        what: "collect, one event a request, of a bare Fastify POST",
        aim: "≥ 0.5×, p99 < 150 ms",
        figure: `${ratio.toFixed(2)}×, p99 ${formatMs(p99)}`,
        met: ratio >= 0.5 && p99 < 150,
        machine: `${perSecond(median(rounds.map((round) => round.ours.perSecond)))} against ${perSecond(median(rounds.map((round) => round.bare.perSecond)))}`,
      },
      {
        what: "collect in batches of 1,000",
        aim: "≥ 150,000 events/s",
        figure: perSecond(eventsPerSecond),
        met: eventsPerSecond >= 150_000,
        machine: `a bare Fastify that only parses them: ${perSecond(bareEvents)}`,
      },
      {
        what: "serve's RSS: idle, after that, at most",
        aim: null,
        figure: `${formatMb(idle)}, ${formatMb(now)}, ${formatMb(peak)}`,
        met: null,
        machine: null,
      },
    ];
  },
};

interface Load {
  perSecond: number;
  p99: number;
}

function event(index: number): object {
  return {
    path: `/guides/page-${index % 200}`,
    ip: `203.0.113.${index % 250}`,
    userAgent: BROWSER.replace("140", String(100 + (index % 40))),
    referrer: "https://www.google.com/",
    method: "GET",
    status: 200,
  };
}

/** @throws Error when any answer was not a success. */
async function rate(
  to: { url: string; headers?: Record<string, string> },
  body: string,
  connections: number,
): Promise<Load> {
  const headers = { ...to.headers, "content-type": "application/json" };
  const result = await autocannon({ url: to.url, method: "POST", headers, body, connections, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers of ${to.url} were no success, and ${result.errors} requests failed.`);
  }
  return { perSecond: result.requests.average, p99: result.latency.p99 };
}

function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString("en")}/s`;
}
