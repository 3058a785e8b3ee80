import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import type { Engine } from "../store/engine.ts";
import { createSchema } from "../store/schema.ts";
import { createTestProject } from "../testing/project.ts";
import { createTestStore } from "../testing/store.ts";
import { createDeadSegments, type DeadSegments } from "./dead-segments.ts";
import { policyOf } from "./policy.ts";
import { listSegments } from "./segments.ts";
import { nextSegment, publish, readState } from "./state.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

let connection: TestDatabase;
let engine: Engine;
let projectId: string;
let now: number;

beforeAll(async () => {
  connection = await createTestDatabase();
  engine = await createTestStore();
  await createSchema(engine);
});
afterAll(async () => {
  await engine.close();
  await connection.close();
});
beforeEach(async () => {
  now = Date.UTC(2026, 10, 21, 12);
  await clear();
});

async function clear(): Promise<void> {
  await engine.command("truncate table {database:Identifier}.counts");
  projectId = await createTestProject(connection.database);
}

function open(isAlone: boolean): DeadSegments {
  return createDeadSegments({ engine, database: connection.database, isAlone, clock: () => new Date(now) });
}

/** A segment written aside: in the store and in no list. */
async function write(): Promise<number> {
  const segment = await nextSegment(connection.database);
  await engine.insert("counts", `${projectId}\t${segment}\tsite\t\t2026-11-21\t1970-01-01\t1\t0\t1\t1\t0\t1\n`);
  return segment;
}

async function publishOnly(segments: readonly number[]): Promise<void> {
  const { revision } = await readState(connection.database, projectId);
  await publish(connection.database, projectId, revision, {
    segments,
    mark: 0,
    policy: policyOf({}),
    isStale: false,
    folded: [],
  });
}

const stored = async (): Promise<number[]> => (await listSegments(engine)).toSorted((a, b) => a - b);

test("a replaced segment is kept for a minute, for reports that have begun", async () => {
  const dead = open(true);
  await dead.drop();
  const [first, second] = [await write(), await write()];
  await publishOnly([first]);
  await publishOnly([second]);
  dead.replaced([first]);
  now += MINUTE_MS - 1;
  await dead.drop();
  expect(await stored()).toEqual([first, second]);
  now += 1;
  await dead.drop();
  expect(await stored()).toEqual([second]);
});

test("one that nobody published is kept for hours, since it may be in the making", async () => {
  const dead = open(true);
  await dead.drop();
  const [live, unknown] = [await write(), await write()];
  await publishOnly([live]);
  await dead.drop();
  now += 6 * HOUR_MS - 1;
  await dead.drop();
  expect(await stored()).toEqual([live, unknown]);
  now += 1;
  await dead.drop();
  expect(await stored()).toEqual([live]);
});

test.each([true, false])(
  "what a dead process left goes at once only where no other process writes: %s",
  async (isAlone) => {
    const [live, unknown] = [await write(), await write()];
    await publishOnly([live]);
    await open(isAlone).drop();
    expect(await stored()).toEqual(isAlone ? [live] : [live, unknown]);
  },
);

test("one that was published in the meantime stays, however late", async () => {
  const dead = open(false);
  const segment = await write();
  await dead.drop();
  now += 5 * HOUR_MS;
  await publishOnly([segment]);
  now += 5 * HOUR_MS;
  await dead.drop();
  expect(await stored()).toEqual([segment]);
});

test("a live segment is never dropped, and a dead one is in the end", async () => {
  type Step =
    | { type: "write" | "drop" | "reopen" }
    | { type: "publish"; kept: number }
    | { type: "pass"; minutes: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ type: fc.constantFrom("write" as const, "drop" as const, "reopen" as const) }),
    fc.record({ type: fc.constant("publish" as const), kept: fc.nat({ max: 3 }) }),
    fc.record({ type: fc.constant("pass" as const), minutes: fc.constantFrom(0.5, 1, 300) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 5, maxLength: 25 }), async (isAlone, steps) => {
      await clear();
      let dead = open(isAlone);
      await dead.drop();
      let live: number[] = [];
      let made: number[] = [];
      for (const each of steps) {
        switch (each.type) {
          case "write":
            made.push(await write());
            break;
          case "publish": {
            const replaced = live.slice(0, Math.max(0, live.length - each.kept));
            // What was made too long ago for its maker to be alive is gone.
            const present = new Set(await stored());
            live = [
              ...live.filter((segment) => !replaced.includes(segment)),
              ...made.filter((one) => present.has(one)),
            ];
            made = [];
            await publishOnly(live);
            dead.replaced(replaced);
            break;
          }
          case "pass":
            now += each.minutes * MINUTE_MS;
            break;
          case "drop":
            await dead.drop();
            break;
          case "reopen":
            dead = open(isAlone);
            // Its makers have died with the process.
            made = [];
        }
        expect(await stored()).toEqual(expect.arrayContaining(live));
      }
      await dead.drop();
      now += 6 * HOUR_MS;
      await dead.drop();
      expect(await stored()).toEqual(live.toSorted((a, b) => a - b));
    }),
    { numRuns: 10 },
  );
});
