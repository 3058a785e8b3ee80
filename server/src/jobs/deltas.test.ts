import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { createDeltaSender, type SentDelta } from "./deltas.ts";

const PAUSE_MS = 250;

let db: TestDatabase;
let listener: pg.Client;
let heard: SentDelta[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  listener = new pg.Client({ connectionString: db.url });
  await listener.connect();
  await listener.query("listen job_deltas");
  listener.on("notification", ({ payload }) => heard.push(JSON.parse(payload ?? "")));
});
afterAll(async () => {
  await listener.end();
  await db.close();
});
beforeEach(() => {
  heard = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => vi.useRealTimers());

/** What has arrived, once everything that was sent has. */
async function received(): Promise<SentDelta[]> {
  await listener.query("select 1");
  return heard;
}

const answer = { jobId: "job_1", after: 3 };

test("what comes within a pause is sent as one, and the next goes on from there", async () => {
  const sender = createDeltaSender(db.database, answer);
  sender.write("Hel");
  sender.write("lo 😀".slice(0, -1));
  vi.advanceTimersByTime(PAUSE_MS);
  sender.write("😀".slice(1));
  sender.write("!");
  vi.advanceTimersByTime(PAUSE_MS);
  await sender.close();
  expect(await received()).toEqual([
    { ...answer, offset: 0, text: "Hello " },
    { ...answer, offset: 6, text: "😀!" },
  ]);
});

test("an answer that is there within the first pause costs no statement", async () => {
  const sender = createDeltaSender(db.database, answer);
  sender.write("All of it.");
  await sender.close();
  vi.advanceTimersByTime(10 * PAUSE_MS);
  expect(await received()).toEqual([]);
});

test("an attempt that came to nothing begins anew", async () => {
  const sender = createDeltaSender(db.database, answer);
  sender.write("Wrong");
  vi.advanceTimersByTime(PAUSE_MS);
  sender.write(" way");
  sender.write(null);
  sender.write("Right");
  vi.advanceTimersByTime(PAUSE_MS);
  await sender.close();
  expect(await received()).toEqual([
    { ...answer, offset: 0, text: "Wrong" },
    { ...answer, offset: 0, text: "Right" },
  ]);
});
