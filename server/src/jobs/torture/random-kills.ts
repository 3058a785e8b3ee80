import { setTimeout as delay } from "node:timers/promises";
import type { Child } from "../../testing/child.ts";
import { createJob } from "./client.ts";
import { findViolations } from "./invariants.ts";
import { checkRepository } from "./invariants/repository.ts";
import { createMilestones } from "./milestones.ts";
import { createRandom, type Random } from "./random.ts";
import { randomTask } from "./random-tasks.ts";
import { endChild, isReady, startDocentUnawaited } from "../../testing/service-process.ts";
import { createStage, type Stage, type StageOptions } from "./stage.ts";

export interface RandomKillsOptions extends Omit<StageOptions, "topology" | "concurrency"> {
  seed: number;
  jobs: number;
  /** SIGKILLs and SIGSTOPs together. */
  kills: number;
  workers: number;
  /** Which part of them are SIGSTOPs, woken after longer than a lease. */
  stopsShare: number;
  /** Told of what happens, in one line. */
  onNews?: (line: string) => void;
}

export interface RandomKills {
  jobs: number;
  messages: number;
  kills: number;
  stops: number;
  seconds: number;
  violations: string[];
}

/** How many jobs begin at once; each of the others begins after its share of the kills, so that each kill meets some. */
const IN_FLIGHT = 10;
const MODEL_MS_MAX = 600;
const BETWEEN_KILLS_MS: readonly [number, number] = [300, 4_000];
/** Longer than a lease. */
const STOPPED_MS: readonly [number, number] = [11_000, 14_000];

/** Many jobs on several workers, of which one is killed or stopped at random moments, again and again. */
export async function runRandomKills(options: RandomKillsOptions): Promise<RandomKills> {
  const started = performance.now();
  const random = createRandom(options.seed);
  const stage = await createStage({ ...options, topology: "over HTTP", concurrency: 100 });
  const delays = createRandom(options.seed + 1);
  stage.beforeAnswer = () => delay(delays.between(20, MODEL_MS_MAX));
  const killer = createKiller(stage, options, random);
  const violations: string[] = [];
  let messages = 0;
  const milestones = createMilestones();
  killer.onKill(milestones.reach);

  async function liveThrough(index: number): Promise<void> {
    const job = `job${index + 1}`;
    const own = createRandom(options.seed * 1_000 + index);
    await milestones.at(Math.floor(((index - IN_FLIGHT) / options.jobs) * options.kills));
    const client = await createJob(stage, randomTask(own, job, 1));
    const followUps = own.chance(0.5) ? 2 : 1;
    for (let number = 2; number <= followUps + 1; number++) {
      // At a random moment, or once it rests.
      if (own.chance(0.3)) await client.rest();
      else await delay(own.between(0, 8_000));
      await client.message(randomTask(own, job, number));
    }
    const { status } = await client.rest();
    messages += client.tasks.length;
    const expectation = { jobId: client.jobId, tasks: client.tasks, status: "completed" } as const;
    const found = await findViolations(stage, expectation);
    violations.push(...found.map((violation) => `${job} (${client.jobId}): ${violation}`));
    options.onNews?.(`${job} ${status}`);
  }

  try {
    killer.start();
    const lives = await Promise.allSettled(Array.from({ length: options.jobs }, (_, index) => liveThrough(index)));
    for (const life of lives) if (life.status === "rejected") violations.push(String(life.reason));
    await killer.done();
    violations.push(...(await checkRepository(stage)));
    const { kills, stops } = killer.count();
    return { jobs: options.jobs, messages, kills, stops, seconds: (performance.now() - started) / 1000, violations };
  } finally {
    await killer.end();
    await stage.close();
  }
}

/** Keeps the workers running, and kills or stops one of them at random moments. */
function createKiller(stage: Stage, options: RandomKillsOptions, random: Random) {
  const workers: { child: Child; isReady: boolean; isStopped: boolean }[] = [];
  const listeners: ((kills: number) => void)[] = [];
  const wakings = new Set<Promise<void>>();
  let kills = 0;
  let stops = 0;
  let isEnding = false;
  let killing: Promise<void> = Promise.resolve();

  function startWorker(slot: number): void {
    const child = startDocentUnawaited(["worker"], stage.environment(`${slot}`));
    const worker = { child, isReady: false, isStopped: false };
    workers[slot] = worker;
    child.line(1, isReady).then(
      () => (worker.isReady = true),
      () => {},
    );
  }

  async function strike(): Promise<void> {
    const ready = workers.filter((worker) => worker.isReady && !worker.isStopped);
    const worker = random.pick(ready);
    if (worker === undefined) return;
    const slot = workers.indexOf(worker);
    if (random.chance(options.stopsShare)) {
      stops += 1;
      worker.isStopped = true;
      worker.child.kill("SIGSTOP");
      options.onNews?.(`worker ${slot} is stopped`);
      const waking = delay(random.between(...STOPPED_MS)).then(() => {
        worker.child.kill("SIGCONT");
        worker.isStopped = false;
        wakings.delete(waking);
      });
      wakings.add(waking);
    } else {
      kills += 1;
      await endChild(worker.child);
      options.onNews?.(`worker ${slot} is killed, ${kills + stops} of ${options.kills}`);
      startWorker(slot);
    }
    for (const listener of listeners) listener(kills + stops);
  }

  async function killOn(): Promise<void> {
    while (!isEnding && kills + stops < options.kills) {
      await delay(random.between(...BETWEEN_KILLS_MS));
      await strike();
    }
  }

  return {
    start() {
      for (let slot = 0; slot < options.workers; slot++) startWorker(slot);
      killing = killOn();
    },
    onKill: (listener: (kills: number) => void) => void listeners.push(listener),
    count: () => ({ kills, stops }),
    async done() {
      await killing;
      // Those that are woken last have had their say too.
      await Promise.all(wakings);
    },
    async end() {
      isEnding = true;
      await killing;
      for (const { child } of workers) await endChild(child);
    },
  };
}
