import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import { describeViolations, enumerate } from "./enumerate.ts";
import { runPoisonousJob } from "./poison.ts";
import { MESSAGE_DURING_TURN } from "./shape.ts";
import { createStage } from "./stage.ts";

// A shortened run of what `npm run torture` does at length.

const cache = await mkdtemp(join(tmpdir(), "docent-torture-cache-"));
afterAll(() => rm(cache, { recursive: true, force: true }));
const childEnvironment = { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE: cache };
const common = { postgresUrl: inject("postgresUrl"), childEnvironment };
const timeout = 300_000;

describe("a worker that is killed", { timeout }, () => {
  test("after any point that settles something: another one finishes the job", async () => {
    const { lives, points } = await enumerate({
      ...common,
      topology: "over HTTP",
      shape: MESSAGE_DURING_TURN,
      action: "kill",
      moments: ["after"],
      only: ({ effect }) => effect === "settles",
      lanes: 2,
    });
    expect(points.length).toBeGreaterThan(15);
    expect(lives).toHaveLength(points.length);
    expect(describeViolations(lives)).toEqual([]);
  });

  test("by its job each time: the job fails after five pick-ups and says why", async () => {
    const stage = await createStage({ ...common, topology: "over HTTP" });
    try {
      const { deaths, reason, violations } = await runPoisonousJob(stage);
      expect(violations).toEqual([]);
      expect(reason).toContain("picked up 5 times without getting a step further");
      // The first of six pick-ups was not in vain: it began the turn.
      expect(deaths).toBe(6);
    } finally {
      await stage.close();
    }
  });
});
