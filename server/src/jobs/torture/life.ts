import { setTimeout as delay } from "node:timers/promises";
import { releaseAllJobs } from "../claim.ts";
import { findViolations } from "./invariants.ts";
import type { Order, PassedPoint } from "./point.ts";
import type { Shape } from "./shape.ts";
import type { Stage } from "./stage.ts";
import { startVictim, type Victim } from "./victim.ts";

/** The last points come after the client has seen its job rest. */
const GRACE_MS = 10_000;

/** What came of one job whose worker died, or was stopped, at one point. */
export interface Life {
  /** Null: nobody died; the run was for the list of the points. */
  order: Order | null;
  passed: PassedPoint[];
  /** What is wrong, one sentence each. */
  violations: string[];
  seconds: number;
}

export interface LifeOptions {
  shape: Shape;
  tag: string;
  order: Order | null;
  /** The machine of the worker that goes on. */
  nextMachine: string;
  /** Loaded by then, and not started. */
  victim: Victim;
}

/** Lets one job live while its worker does what it was ordered to, lets another worker finish it, and looks at the end. */
export async function liveOnce(stage: Stage, { shape, tag, order, nextMachine, victim }: LifeOptions): Promise<Life> {
  const started = performance.now();
  const releases: (() => Promise<unknown>)[] = [];
  const violations: string[] = [];
  stage.beforeAnswer = () => {};
  stage.log.length = 0;
  let fate: Promise<unknown> = Promise.resolve();
  try {
    victim.start();
    const playing = shape.play(stage, tag, { onWait: (listener) => onWait(victim, listener) });
    fate = order === null ? playing : meetFate(stage, victim, order, nextMachine, releases);
    // A worker that does not meet its fate leaves nobody to play with; one that comes by no such point is found out.
    const missed = playing
      .then(() => delay(GRACE_MS, undefined, { ref: false }))
      .then(() => {
        if (order !== null) throw new Error("It did not come by this point.");
      });
    missed.catch(() => {});
    await Promise.race([fate, missed]);
    const expectation = await playing;
    violations.push(...(await findViolations(stage, expectation)));
    if (order?.action === "stop") {
      await wakeUp(victim);
      const again = await findViolations(stage, expectation);
      violations.push(...again.map((violation) => `After it was woken: ${violation}`));
    }
  } catch (error) {
    violations.push(String(error));
  } finally {
    victim.child.kill("SIGKILL");
    await victim.child.ended;
    // With a victim that missed its point, the next worker starts only now.
    if (order !== null) await fate.catch(() => {});
    for (const release of releases) await release();
  }
  if (violations.length > 0) violations.push(`The worker said: ${victim.child.output().slice(-3000)}`, ...stage.log);
  return { order, passed: victim.passed, violations, seconds: (performance.now() - started) / 1000 };
}

function onWait(victim: Victim, listener: () => Promise<void>): void {
  victim.reached("wait").then(
    async () => {
      await listener();
      victim.child.send("go on");
    },
    // It died before.
    () => {},
  );
}

/** Waits until the worker is dead or stopped, and lets another go on as it would once the lease has run out. */
async function meetFate(
  stage: Stage,
  victim: Victim,
  order: Order,
  nextMachine: string,
  releases: (() => Promise<unknown>)[],
): Promise<void> {
  if (order.action === "stop") await victim.reached("stop");
  else {
    const { signal } = await victim.child.ended;
    if (signal !== "SIGKILL") throw new Error(`It ended by ${signal ?? "itself"}, and not at its point.`);
  }
  await releaseAllJobs(stage.database);
  const worker = await stage.startWorker(nextMachine);
  releases.push(() => worker.stop());
}

/** It has room for one job, so it looks for the next only when it is done with what it was at. */
async function wakeUp(victim: Victim): Promise<void> {
  const looks = victim.looks();
  victim.child.kill("SIGCONT");
  await looks;
}

/** Starts a worker that loads its code and waits. */
export function prepareVictim(stage: Stage, shape: Shape, order: Order | null, machine: string): Victim {
  const orders = [...(shape.waits ?? []), ...(order === null ? [] : [order])];
  const kind = stage.topology === "in place" ? "serve" : "worker";
  return startVictim({ process: kind, armedBy: "claim", orders }, stage.environment(machine));
}
