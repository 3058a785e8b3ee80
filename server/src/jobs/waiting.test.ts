import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ModelCallError, type ModelFailure } from "../agent/agent.ts";
import { FREE } from "../agent/models/facts.ts";
import type { ResolvedModel } from "../agent/models/models.ts";
import { createOfflineModel } from "../agent/models/offline/offline.ts";
import type { Transcript } from "../agent/transcript.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { askModel, ParkedError } from "./ask-model.ts";
import { claimJob, PICKUPS_MAX, releaseJob } from "./claim.ts";
import { recordStep } from "./record.ts";
import { createTestJobs, insertProject, jobOf } from "./testing/records.ts";

const model = (name: string): ResolvedModel => ({ name, provider: "docent", model: createOfflineModel(), facts: FREE });
const OWN = model("own:a");
const OTHER = model("other:b");
const HOUR_MS = 3_600_000;

function refuse(failure: Partial<ModelFailure>): never {
  throw new ModelCallError({ kind: "overloaded", reason: "It is overloaded.", isRetryable: true, ...failure });
}

/** Asks with every model refusing like this. */
async function waitFor(failure: Partial<ModelFailure>, { waits = 0, remainingMs = HOUR_MS } = {}): Promise<unknown> {
  const asked = askModel({ models: [OWN], transcript: [], waits, remainingMs }, async () => refuse(failure));
  return asked.catch((error: unknown) => (error instanceof ParkedError ? error.afterMs : error));
}

describe("asking models", () => {
  test("waits longer each time, up to five minutes, and as long as the provider says", async () => {
    expect(await waitFor({})).toBe(5_000);
    expect(await waitFor({}, { waits: 3 })).toBe(40_000);
    expect(await waitFor({}, { waits: 1_000 })).toBe(300_000);
    expect(await waitFor({ retryAfterMs: 1_800_000 })).toBe(1_800_000);
    expect(await waitFor({ retryAfterMs: 1 })).toBe(5_000);
  });

  test("fails when the wait is longer than the turn's time, or cannot help", async () => {
    expect(await waitFor({ retryAfterMs: 2 * HOUR_MS })).toEqual({
      failed: expect.stringContaining("It is overloaded. The job would have to wait 7200 seconds"),
    });
    expect(await waitFor({ isRetryable: false, reason: "No such model." })).toEqual({ failed: "No such model." });
    expect(await waitFor({ kind: "context", isRetryable: false, reason: "Too long." })).toEqual({
      tooLong: "Too long.",
    });
  });

  test("asks the other model next, and first of all once it has answered in this turn", async () => {
    const usage = { inputTokens: 1, outputTokens: 1 };
    const answered: Transcript = [
      { type: "prompt", text: "go" },
      { type: "answer", content: [], finishReason: "stop", usage, model: OTHER.name },
    ];
    const order = async (transcript: Transcript) => {
      const asked: string[] = [];
      const options = { models: [OWN, OTHER] as const, transcript, waits: 0, remainingMs: HOUR_MS };
      const refused = askModel(options, async ({ name }) => {
        asked.push(name);
        return name === OWN.name ? refuse({ isRetryable: false }) : refuse({ retryAfterMs: 70_000 });
      });
      await expect(refused).rejects.toMatchObject({ afterMs: 70_000 });
      return asked;
    };
    expect(await order(answered.slice(0, 1))).toEqual([OWN.name, OTHER.name]);
    expect(await order(answered)).toEqual([OTHER.name, OWN.name]);
    expect(await order([...answered, { type: "prompt", text: "again" }])).toEqual([OWN.name, OTHER.name]);
  });
});

describe("a job that waits for its model", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.close());

  test("is not claimed before, does not use up its pick-ups, and starts anew with a step", async () => {
    const { database } = db;
    const jobs = createTestJobs(database);
    const { id } = jobOf(await jobs.create(await insertProject(database), { prompt: "go" }));
    const claim = () => claimJob(database, { worker: "w1", perProjectMax: 10 });
    const row = () => database.selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    for (let waits = 1; waits <= PICKUPS_MAX + 2; waits += 1) {
      const job = await claim();
      if (job === undefined) throw new Error("There is nothing to claim.");
      const hold = { jobId: id, generation: job.generation };
      await releaseJob(database, hold, { error: "Overloaded.", afterMs: 600_000, parked: true });
      expect(await claim()).toBeUndefined();
      expect(await row()).toMatchObject({ pickups: 0, waits, worker: null, last_error: "Overloaded." });
      // Its time has come.
      await database
        .updateTable("jobs")
        .set({ run_at: new Date(0) })
        .where("id", "=", id)
        .execute();
    }
    const job = await claim();
    const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 2, costNanoUsd: 700 };
    const step = { events: [{ type: "answer", data: {} } as const], usage };
    const hold = { jobId: id, generation: job?.generation ?? 0 };
    await recordStep(database, hold, step);
    expect(await row()).toMatchObject({ waits: 0, last_error: null, cached_input_tokens: 4, cost_nano_usd: 700 });
    await recordStep(database, hold, { events: [{ type: "tool-result", data: {} }] });
    expect(await row()).toMatchObject({ steps: 1, cost_nano_usd: 700 });
    // What one step costs is not known, so what the job costs is not either.
    await recordStep(database, hold, { ...step, usage: { ...usage, costNanoUsd: null } });
    await recordStep(database, hold, step);
    expect(await row()).toMatchObject({ cost_nano_usd: null, input_tokens: 30 });
  });
});
