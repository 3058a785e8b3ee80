import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { runEmbedded } from "./embedded.ts";
import { runRandomKills } from "./random-kills.ts";
import { createStage } from "./stage.ts";
import { runTakeover } from "./takeover.ts";

const cache = await mkdtemp(join(tmpdir(), "docent-torture-cache-"));
afterAll(() => rm(cache, { recursive: true, force: true }));
const childEnvironment = { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: cache };
const common = { postgresUrl: inject("postgresUrl"), childEnvironment };
const timeout = 300_000;

test("two workers on one database: one is killed in the middle of a turn, the other goes on", { timeout }, async () => {
  const stage = await createStage({ ...common, topology: "over HTTP" });
  try {
    const { goesOnMs, violations } = await runTakeover(stage);
    expect(violations).toEqual([]);
    // A lease of 10 s and a look every second; twice that for a machine that is busy with other tests.
    expect(goesOnMs).toBeLessThan(22_000);
  } finally {
    await stage.close();
  }
});

test("workers killed and stopped at random moments lose nothing", { timeout }, async () => {
  const seed = Date.now() % 1_000_000;
  const run = await runRandomKills({ ...common, seed, jobs: 4, kills: 6, workers: 2, stopsShare: 0.2 });
  expect({ seed, violations: run.violations }).toEqual({ seed, violations: [] });
});

test("serve with the embedded database, killed under its jobs, goes on after each restart", { timeout }, async () => {
  const seed = Date.now() % 1_000_000;
  const run = await runEmbedded({ childEnvironment, seed, jobs: 3, kills: 4 });
  expect({ seed, violations: run.violations }).toEqual({ seed, violations: [] });
  expect(run.refusal.code).toBe(1);
  expect(run.refusal.output).toMatch(/^The data directory \S+ is already served by process \d+ on \S+\..*$/);
});
