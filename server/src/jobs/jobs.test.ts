import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { claimJob, releaseAllJobs, releaseJob, renewLeases } from "./claim.ts";
import { loadJobState } from "./job-state.ts";
import { LostJobError, recordStep } from "./record.ts";
import { createTestJobs, insertProject, jobOf } from "./testing/records.ts";
import { endTurn } from "./turn-end.ts";
import { readMessages } from "./messages.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const idempotency = (key: string, content: string) => ({
  key,
  requestHash: createHash("sha256").update(content).digest(),
});

async function claim(worker = "w1") {
  const job = await claimJob(db.database, { worker, perProjectMax: 100 });
  if (job === undefined) throw new Error("nothing to claim");
  return { job, hold: { jobId: job.id, generation: job.generation } };
}

/** Ends every job of earlier tests, so that a claim finds only this test's. */
async function settleAll() {
  await db.database
    .updateTable("jobs")
    .set({ status: "completed", publish: null, failure_reason: null })
    .where("status", "=", "active")
    .execute();
  await db.database.updateTable("job_messages").set({ read_at_position: 0 }).execute();
}

describe("creating", () => {
  test("a job, its first message and its events come together", async () => {
    const jobs = createTestJobs(db.database);
    const projectId = await insertProject(db.database);
    const job = jobOf(await jobs.create(projectId, { prompt: "fix broken links" }));
    expect(job).toMatchObject({
      status: "active",
      source: { repository: `http://localhost/git/${projectId}.git`, ref: "main" },
      model: "docent:offline",
      prLink: null,
      archivedAt: null,
      branch: null,
      pullRequest: null,
      failureReason: null,
    });
    expect(await jobs.get(projectId, job.id)).toEqual(job);
    const events = await jobs.events(projectId, job.id, { after: 0, signal: AbortSignal.timeout(5_000) });
    for await (const event of events ?? []) {
      expect(event).toMatchObject({ position: 1, type: "message", data: { prompt: "fix broken links" } });
      break;
    }
  });

  test("an unknown or deleted project has no jobs", async () => {
    const jobs = createTestJobs(db.database);
    expect(await jobs.create("prj_none", { prompt: "x" })).toEqual({ refused: "not_found" });
    const projectId = await insertProject(db.database);
    await db.database.updateTable("projects").set({ deleted_at: new Date() }).where("id", "=", projectId).execute();
    expect(await jobs.create(projectId, { prompt: "x" })).toEqual({ refused: "not_found" });
  });

  test("another project's job is not found", async () => {
    const jobs = createTestJobs(db.database);
    const [mine, other] = [await insertProject(db.database), await insertProject(db.database)];
    const job = jobOf(await jobs.create(mine, { prompt: "x" }));
    expect(await jobs.get(other, job.id)).toBeUndefined();
    expect(await jobs.message(other, job.id, { prompt: "y" })).toEqual({ refused: "not_found" });
    expect(await jobs.archive(other, job.id)).toBeUndefined();
  });

  test("twenty requests with one key at once make one job; another body is refused; after 24 h it is a new request", async () => {
    let now = new Date("2026-01-01T00:00:00Z");
    const jobs = createTestJobs(db.database, () => now);
    const projectId = await insertProject(db.database);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => jobs.create(projectId, { prompt: "a", idempotency: idempotency("k", "a") })),
    );
    const ids = new Set(answers.map((answer) => jobOf(answer).id));
    expect(ids.size).toBe(1);
    expect((await jobs.list(projectId, { limit: 100 })).jobs).toHaveLength(1);
    expect(await jobs.create(projectId, { prompt: "b", idempotency: idempotency("k", "b") })).toEqual({
      refused: "idempotency_conflict",
    });
    now = new Date("2026-01-02T00:00:01Z");
    const later = jobOf(await jobs.create(projectId, { prompt: "b", idempotency: idempotency("k", "b") }));
    expect(ids.has(later.id)).toBe(false);
  });

  test("lists are pages, newest first, by status", async () => {
    const jobs = createTestJobs(db.database);
    const projectId = await insertProject(db.database);
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.push(jobOf(await jobs.create(projectId, { prompt: `${i}` })).id);
    await jobs.archive(projectId, made[3] ?? "");
    const first = await jobs.list(projectId, { limit: 3 });
    const second = await jobs.list(projectId, { limit: 3, cursor: first.nextCursor ?? "" });
    const third = await jobs.list(projectId, { limit: 3, cursor: second.nextCursor ?? "" });
    expect([...first.jobs, ...second.jobs, ...third.jobs].map((job) => job.id)).toEqual(made.toReversed());
    expect(third.nextCursor).toBeNull();
    const archived = await jobs.list(projectId, { limit: 3, status: "archived" });
    expect(archived.jobs.map((job) => job.id)).toEqual([made[3]]);
  });
});

describe("holding a job", () => {
  test("a second claim makes every write of the first void", async () => {
    await settleAll();
    const jobs = createTestJobs(db.database);
    const projectId = await insertProject(db.database);
    jobOf(await jobs.create(projectId, { prompt: "x" }));
    const first = await claim("w1");
    expect(await claimJob(db.database, { worker: "w2", perProjectMax: 100 })).toBeUndefined();
    await releaseAllJobs(db.database);
    const second = await claim("w2");
    expect(second.job.generation).toBe(first.job.generation + 1);

    const step = { events: [{ type: "note" as const, data: { text: "from the first" } }] };
    await expect(recordStep(db.database, first.hold, step)).rejects.toThrow(LostJobError);
    await expect(readMessages(db.database, first.hold)).rejects.toThrow(LostJobError);
    await expect(endTurn(db.database, first.hold, { completed: null })).rejects.toThrow(LostJobError);
    await releaseJob(db.database, first.hold);
    expect(await renewLeases(db.database, "w1", [first.hold])).toEqual(new Set());
    expect(await renewLeases(db.database, "w2", [second.hold])).toEqual(new Set([second.hold.jobId]));
    expect((await loadJobState(db.database, second.hold.jobId)).transcript).toEqual([]);
  });

  test("a lease that ran out is claimed again, and each claim counts until a step is persisted", async () => {
    await settleAll();
    const jobs = createTestJobs(db.database);
    const projectId = await insertProject(db.database);
    jobOf(await jobs.create(projectId, { prompt: "x" }));
    for (let pickups = 1; pickups <= 3; pickups++) {
      const { job } = await claim();
      expect(job.pickups).toBe(pickups);
      await db.database
        .updateTable("jobs")
        .set({ lease_expires_at: new Date(Date.now() - 1) })
        .where("id", "=", job.id)
        .execute();
    }
    const { hold } = await claim();
    await recordStep(db.database, hold, { events: [{ type: "note", data: { text: "progress" } }] });
    await releaseJob(db.database, hold);
    expect((await claim()).job.pickups).toBe(1);
  });

  test("projects with fewer running jobs come first, and none has more than its share", async () => {
    await settleAll();
    const jobs = createTestJobs(db.database);
    const [busy, quiet] = [await insertProject(db.database), await insertProject(db.database)];
    for (let i = 0; i < 6; i++) jobOf(await jobs.create(busy, { prompt: `${i}` }));
    const late = jobOf(await jobs.create(quiet, { prompt: "late" }));
    const order: string[] = [];
    for (;;) {
      const job = await claimJob(db.database, { worker: "w", perProjectMax: 4 });
      if (job === undefined) break;
      order.push(job.id === late.id ? "quiet" : "busy");
    }
    expect(order).toEqual(["busy", "quiet", "busy", "busy", "busy"]);
  });

  test("a step with NUL, lone surrogates and files is stored whole", async () => {
    await settleAll();
    const jobs = createTestJobs(db.database);
    const projectId = await insertProject(db.database);
    jobOf(await jobs.create(projectId, { prompt: "x" }));
    const { hold } = await claim();
    const data = { text: "a\0b\ud800c \\u0000 \\\\u0000 d", "k\0": 1 };
    const bytes = Buffer.from([0, 255, 10]);
    await recordStep(db.database, hold, {
      events: [{ type: "note", data }],
      files: {
        turn: 1,
        changes: [
          { path: "a.mdx", mode: "100644", content: bytes },
          { path: "b.mdx", mode: "100644", content: null },
        ],
      },
    });
    const { transcript } = await loadJobState(db.database, hold.jobId);
    expect(transcript).toEqual([{ type: "note", text: "a�b�c \\u0000 \\\\u0000 d", "k�": 1 }]);
    const files = await db.database.selectFrom("job_files").selectAll().where("job_id", "=", hold.jobId).execute();
    expect(files.map((file) => [file.path, file.content])).toEqual([
      ["a.mdx", bytes],
      ["b.mdx", null],
    ]);
  });
});

describe("ending a turn", () => {
  test("a message that came meanwhile keeps the job active, whether the turn went well or badly", async () => {
    await settleAll();
    const jobs = createTestJobs(db.database);
    const projectId = await insertProject(db.database);
    const { id } = jobOf(await jobs.create(projectId, { prompt: "one" }));
    const { hold } = await claim();
    await readMessages(db.database, hold);
    await db.database.updateTable("jobs").set({ turn_started_at: new Date() }).where("id", "=", id).execute();
    jobOf(await jobs.message(projectId, id, { prompt: "two" }));
    expect(await endTurn(db.database, hold, { failed: "no" })).toBe(false);
    expect(await jobs.get(projectId, id)).toMatchObject({ status: "active", failureReason: null });
    expect(await readMessages(db.database, hold)).toEqual([{ type: "prompt", text: "two" }]);
    expect(await endTurn(db.database, hold, { failed: "because" })).toBe(true);
    expect(await jobs.get(projectId, id)).toMatchObject({ status: "failed", failureReason: "because" });
    expect(jobOf(await jobs.message(projectId, id, { prompt: "three" }))).toMatchObject({
      status: "active",
      failureReason: null,
    });
    expect((await claim()).job.id).toBe(id);
  });

  test("what fails before the turn could begin ends the job, its messages read", async () => {
    await settleAll();
    const jobs = createTestJobs(db.database);
    const projectId = await insertProject(db.database);
    const { id } = jobOf(await jobs.create(projectId, { prompt: "one" }));
    const { hold } = await claim();
    expect(await endTurn(db.database, hold, { failed: "no such branch" })).toBe(true);
    expect(await jobs.get(projectId, id)).toMatchObject({ status: "failed", failureReason: "no such branch" });
    const { transcript } = await loadJobState(db.database, id);
    expect(transcript).toMatchObject([{ type: "prompt", text: "one" }]);
  });

  test("the link is recorded on a job that was archived meanwhile, and its status stays", async () => {
    await settleAll();
    const jobs = createTestJobs(db.database);
    const projectId = await insertProject(db.database);
    const { id } = jobOf(await jobs.create(projectId, { prompt: "one" }));
    const { hold } = await claim();
    const archived = await jobs.archive(projectId, id);
    expect(archived?.status).toBe("archived");
    expect(archived?.archivedAt).not.toBeNull();
    await expect(recordStep(db.database, hold, { events: [{ type: "note", data: {} }] })).rejects.toThrow(LostJobError);
    const pullRequest = { branch: "docent/x", number: 4, url: "http://localhost/pull/4", state: "open" } as const;
    expect(await endTurn(db.database, hold, { completed: pullRequest })).toBe(true);
    expect(await jobs.get(projectId, id)).toMatchObject({ status: "archived", prLink: pullRequest.url });
    expect(await jobs.message(projectId, id, { prompt: "more" })).toEqual({ refused: "archived" });
    expect(await jobs.archive(projectId, id)).toMatchObject({ archivedAt: archived?.archivedAt });
  });
});
