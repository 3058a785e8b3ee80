import { setTimeout as delay } from "node:timers/promises";
import { startEmbeddedSite, type EmbeddedSite } from "./embedded-site.ts";
import { findViolations } from "./invariants.ts";
import { checkRepository } from "./invariants/repository.ts";
import { createMilestones } from "./milestones.ts";
import { createRandom } from "./random.ts";
import { randomTask } from "./random-tasks.ts";
import { taskPrompt, type Task } from "./task.ts";

export interface EmbeddedOptions {
  childEnvironment: Record<string, string>;
  seed: number;
  jobs: number;
  kills: number;
  /** Told of what happens, in one line. */
  onNews?: (line: string) => void;
}

export interface EmbeddedRun {
  /** From "ready" after a `kill -9` to the next request to the model, where a job was under way. */
  goesOnMs: number[];
  /** What a second `serve` on the same directory said, and its exit code. */
  refusal: { output: string; code: number | null };
  kills: number;
  /** How often the clients got no answer, and asked again. */
  unanswered: number;
  seconds: number;
  violations: string[];
}

const BETWEEN_KILLS_MS: readonly [number, number] = [200, 1_500];
const CLIENT_PAUSE_MS_MAX = 1_500;
const POLL_MS = 100;

/** `docent serve` with everything in one process, killed again and again under jobs that clients send over HTTP. */
export async function runEmbedded(options: EmbeddedOptions): Promise<EmbeddedRun> {
  const started = performance.now();
  const random = createRandom(options.seed);
  const site = await startEmbeddedSite(options.childEnvironment);
  try {
    const refusal = await site.startSecond();
    const milestones = createMilestones();
    const lives = Array.from({ length: options.jobs }, async (_, index) => {
      await milestones.at(Math.floor((index / options.jobs) * options.kills));
      const life = await live(site, createRandom(options.seed * 1_000 + index), `job${index + 1}`);
      options.onNews?.(`job${index + 1} rests`);
      return life;
    });
    const goesOnMs: number[] = [];
    for (let kills = 1; kills <= options.kills; kills++) {
      await delay(random.between(...BETWEEN_KILLS_MS));
      const goesOn = await site.killAndRestart();
      if (goesOn !== undefined) goesOnMs.push(goesOn);
      options.onNews?.(`serve is killed, ${kills} of ${options.kills}`);
      milestones.reach(kills);
    }
    const ended = await Promise.all(lives);
    const scene = await site.openScene();
    const violations = await checkRepository(scene);
    for (const { jobId, tasks } of ended) {
      violations.push(...(await findViolations(scene, { jobId, tasks, status: "completed" })));
    }
    const jobs = await scene.database.selectFrom("jobs").select("id").execute();
    if (jobs.length !== options.jobs) violations.push(`There are ${jobs.length} jobs; ${options.jobs} were sent.`);
    return {
      goesOnMs,
      refusal,
      kills: options.kills,
      unanswered: site.client.failures(),
      seconds: (performance.now() - started) / 1000,
      violations,
    };
  } finally {
    await site.close();
  }
}

async function live(
  { client, projectId }: EmbeddedSite,
  random: ReturnType<typeof createRandom>,
  name: string,
): Promise<{ jobId: string; tasks: Task[] }> {
  const first = randomTask(random, name, 1);
  const followUp = randomTask(random, name, 2);
  const job = await client.post(`/v2/agent/${projectId}/job`, { prompt: taskPrompt(first) });
  const path = `/v2/agent/${projectId}/job/${String(job["id"])}`;
  await delay(random.between(0, CLIENT_PAUSE_MS_MAX));
  await client.post(`${path}/message`, { prompt: taskPrompt(followUp) });
  while ((await client.get(path))["status"] === "active") await delay(POLL_MS);
  return { jobId: String(job["id"]), tasks: [first, followUp] };
}
