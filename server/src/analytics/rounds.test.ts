import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRounds, type Rounds, type RoundsOptions } from "./rounds.ts";

/** When each round began, in milliseconds. */
let began: number[];
let atOnce: number;
let mostAtOnce: number;
let errors: unknown[];
let rounds: Rounds;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  began = [];
  errors = [];
  atOnce = 0;
  mostAtOnce = 0;
});
afterEach(async () => {
  const stopped = rounds.stop();
  await vi.runAllTimersAsync();
  await stopped;
  vi.useRealTimers();
});

const OPTIONS: RoundsOptions = { pauseMs: 100, everyMs: 1_000 };

/** Rounds that take some time each; those that `fails` names throw. */
function create(options = OPTIONS, tookMs = 0, fails: (round: number) => boolean = () => false): void {
  const start = performance.now();
  rounds = createRounds(
    async () => {
      const round = began.push(performance.now() - start);
      mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
      try {
        if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
        if (fails(round)) throw new Error(`round ${round}`);
      } finally {
        atOnce -= 1;
      }
    },
    options,
    (error) => errors.push(error),
  );
}

const pass = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms));

test("runs soon after the start, and every so often from then on", async () => {
  create();
  await pass(5_000);
  expect(began).toEqual([]);
  rounds.start();
  await pass(2_500);
  expect(began).toEqual([5_100, 6_100, 7_100]);
});

test("a round that is woken comes after the pause, however often it is woken", async () => {
  create();
  rounds.start();
  await pass(150);
  for (let time = 0; time < 90; time += 10) {
    rounds.wake();
    await pass(10);
  }
  expect(began).toEqual([100]);
  await pass(10);
  expect(began).toEqual([100, 250]);
  await pass(999);
  expect(began).toEqual([100, 250]);
  await pass(1);
  expect(began).toEqual([100, 250, 1_250]);
});

test("what wakes it during a round has a round of its own after that", async () => {
  create(OPTIONS, 300);
  rounds.start();
  await pass(200);
  rounds.wake();
  await pass(299);
  expect(began).toEqual([100]);
  await pass(1);
  expect(began).toEqual([100, 500]);
  await pass(300 + 999);
  expect(began).toEqual([100, 500]);
  expect(mostAtOnce).toBe(1);
});

test("long rounds leave room for other work", async () => {
  create({ pauseMs: 100, pausePerRound: 4, everyMs: 1_000 }, 500);
  rounds.start();
  await pass(600);
  rounds.wake();
  await pass(1_999);
  expect(began).toEqual([100]);
  await pass(1);
  expect(began).toEqual([100, 2_600]);
});

test("a tick runs at once, after a round that is under way and never beside it", async () => {
  create(OPTIONS, 300);
  const first = rounds.tick();
  await pass(100);
  const second = rounds.tick();
  const third = rounds.tick();
  await pass(800);
  await Promise.all([first, second, third]);
  expect(began).toEqual([0, 300, 600]);
  expect(mostAtOnce).toBe(1);
  // Nobody has started it.
  await pass(10_000);
  expect(began).toHaveLength(3);
});

test("a round that throws is told of and ends nothing", async () => {
  create(OPTIONS, 0, (round) => round === 1);
  rounds.start();
  await pass(1_100);
  expect(began).toEqual([100, 1_100]);
  expect(errors).toEqual([new Error("round 1")]);
  await expect(rounds.tick()).resolves.toBeUndefined();
});

test("stopping waits for the round that is under way, and nothing comes after it until the next start", async () => {
  create(OPTIONS, 300);
  rounds.start();
  await pass(200);
  let isStopped = false;
  const stopped = rounds.stop().then(() => (isStopped = true));
  rounds.wake();
  await pass(199);
  expect(isStopped).toBe(false);
  await pass(1);
  await stopped;
  rounds.wake();
  await pass(10_000);
  expect(began).toEqual([100]);
  rounds.start();
  await pass(100);
  expect(began).toHaveLength(2);
});
