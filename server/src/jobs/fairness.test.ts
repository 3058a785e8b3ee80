import { afterAll, beforeAll, expect, test } from "vitest";
import { finish, scriptByPrompt } from "./testing/script.ts";
import { startScriptedService, type ScriptedService } from "./testing/scripted-service.ts";

const FILES = { "index.md": "# Start\n" };

/** Answers of the busy project wait here until the test lets them go. */
const waiting: (() => void)[] = [];
let busyNow = 0;
let busyMost = 0;
let scripted: ScriptedService;
beforeAll(async () => {
  scripted = await startScriptedService({
    environment: { DOCENT_JOBS_CONCURRENCY: "4", DOCENT_JOBS_CONCURRENCY_PER_PROJECT: "3" },
    script: scriptByPrompt({
      busy: [
        async () => {
          busyMost = Math.max(busyMost, (busyNow += 1));
          await new Promise<void>((resolve) => waiting.push(resolve));
          busyNow -= 1;
          return [finish("Nothing to do")];
        },
      ],
      quiet: [[finish("Nothing to do")]],
    }),
  });
});
afterAll(() => scripted.close());

test("a project's burst leaves room for another's job", async () => {
  const [busy, quiet] = [await scripted.addProject(FILES), await scripted.addProject(FILES)];
  const burst = await Promise.all(Array.from({ length: 12 }, () => busy.createJob("busy")));
  // The quiet project's jobs come last and end while no job of the burst can.
  for (let count = 0; count < 3; count += 1) {
    const job = await quiet.createJob("quiet");
    expect(await job.rest()).toMatchObject({ status: "completed", prLink: null });
  }
  expect(await Promise.all(burst.map(async (job) => (await job.get()).status))).toEqual(burst.map(() => "active"));
  expect(waiting.length).toBeLessThanOrEqual(3);

  let isOver = false;
  const release = async () => {
    while (!isOver) {
      waiting.splice(0).forEach((resolve) => resolve());
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const releasing = release();
  const ended = await Promise.all(burst.map((job) => job.rest()));
  isOver = true;
  await releasing;
  expect(ended.map(({ status }) => status)).toEqual(burst.map(() => "completed"));
  expect(busyMost).toBe(3);
});
