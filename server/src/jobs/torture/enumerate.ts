import { liveOnce, prepareVictim, type Life } from "./life.ts";
import { pointKey, type Moment, type Order, type PassedPoint } from "./point.ts";
import type { Shape } from "./shape.ts";
import { createStage, type Stage, type StageOptions } from "./stage.ts";

export interface EnumerationOptions extends StageOptions {
  shape: Shape;
  action: "kill" | "stop";
  moments: readonly Moment[];
  /** Which of the shape's points; absent: all. */
  only?: (point: PassedPoint) => boolean;
  /** Where the next worker goes on: on the same machine, or on another one, without the first one's mirrors. Default: by turns. */
  next?: "here" | "elsewhere";
  /** How many jobs are tortured at once. */
  lanes: number;
  /** Told of each life as it ends. */
  onLife?: (life: Life) => void;
}

/** What processes do by their own clocks, and not for a job: a victim may live and die without coming by. */
const OF_ROUNDS =
  /^(maintenance|archive-job|poll-pull-requests|pull-request-state|claim-delivery|deliverer|deliveries)\.ts /;

export interface Enumeration {
  points: PassedPoint[];
  lives: Life[];
  seconds: number;
}

/** Lets one job live undisturbed to learn its points, then lets one die at each of them. */
export async function enumerate(options: EnumerationOptions): Promise<Enumeration> {
  const { shape, lanes, moments, action, only = () => true } = options;
  const started = performance.now();
  const stages: Stage[] = [];
  try {
    const first = await createStage(options);
    stages.push(first);
    const victim = prepareVictim(first, shape, null, "calm");
    const calm = await liveOnce(first, { shape, tag: "calm", order: null, nextMachine: "calm", victim });
    if (calm.violations.length > 0)
      throw new Error(`Undisturbed already, ${shape.name}:\n${calm.violations.join("\n")}`);
    const points = calm.passed.filter((point) => !OF_ROUNDS.test(point.name) && only(point));
    const orders = points.flatMap(({ name, occurrence }) =>
      moments.map((moment): Order => ({ name, occurrence, moment, action })),
    );
    for (let lane = 1; lane < lanes; lane++) stages.push(await createStage(options));
    const { next } = options;
    const waiting = orders.map((order, index) => ({
      order,
      tag: `life${index + 1}`,
      // Each first worker comes to an empty machine, so that it comes by the same points.
      nextMachine:
        next === "elsewhere" || (next === undefined && index % 2 === 1) ? `next-${index}` : `life${index + 1}`,
    }));
    const lives: Life[] = [];
    await Promise.all(stages.map((stage) => runLane(stage, options, waiting, (life) => void lives.push(life))));
    return { points, lives, seconds: (performance.now() - started) / 1000 };
  } finally {
    for (const stage of stages) await stage.close();
  }
}

async function runLane(
  stage: Stage,
  { shape, onLife }: EnumerationOptions,
  waiting: { order: Order; tag: string; nextMachine: string }[],
  keep: (life: Life) => void,
): Promise<void> {
  const take = () => {
    const next = waiting.shift();
    return next && { ...next, victim: prepareVictim(stage, shape, next.order, next.tag) };
  };
  let next = take();
  while (next !== undefined) {
    const { order, tag, nextMachine, victim } = next;
    // The code of the one after it is loaded meanwhile.
    next = take();
    const life = await liveOnce(stage, { shape, tag, order, victim, nextMachine });
    keep(life);
    onLife?.(life);
  }
}

/** One line for each life that did not go well. */
export function describeViolations(lives: readonly Life[]): string[] {
  return lives
    .filter((life) => life.violations.length > 0)
    .map(({ order, violations }) => {
      const where = order === null ? "undisturbed" : `${order.action} ${order.moment} ${pointKey(order)}`;
      return `${where}\n  ${violations.join("\n  ")}`;
    });
}
