import { afterEach, expect, test } from "vitest";
import { finish, read, scriptByPrompt, write, type Step } from "./testing/script.ts";
import { startScriptedService, type ScriptedService } from "./testing/scripted-service.ts";

const FILES = { "index.md": "# Start\n", "more.md": "# More\n" };

let scripted: ScriptedService | undefined;
afterEach(() => scripted?.close());

/** Runs one job by these steps and returns how it ended. */
async function runJob(steps: Step[], environment: Record<string, string>, clock?: () => Date) {
  scripted = await startScriptedService({
    script: scriptByPrompt({ go: steps }),
    environment,
    ...(clock === undefined ? {} : { clock }),
  });
  const project = await scripted.addProject(FILES);
  const job = await project.createJob("go");
  return { job, ended: await job.rest() };
}

const back: Step = [read("index.md")];
const forth: Step = [read("more.md")];

test("a job fails at its limit of steps, and says so", async () => {
  const { job, ended } = await runJob([back, forth, back, forth, [finish("Done")]], { DOCENT_JOB_STEPS_MAX: "3" });
  expect(ended).toMatchObject({ status: "failed", prLink: null });
  expect(ended.failureReason).toContain("limit of 3 steps");
  expect(scripted?.model.requests).toHaveLength(3);
  // The limit is the job's: a follow-up has no steps left.
  await job.message("go");
  expect(await job.rest()).toMatchObject({ status: "failed", failureReason: ended.failureReason });
  expect(scripted?.model.requests).toHaveLength(3);
});

test("a job fails at its limit of tokens, and says so", async () => {
  const step = { toolCalls: back, usage: { inputTokens: 900, outputTokens: 200 } };
  const { ended } = await runJob([step, [finish("Done")]], { DOCENT_JOB_TOKENS_MAX: "1000" });
  expect(ended).toMatchObject({ status: "failed" });
  expect(ended.failureReason).toContain("limit of 1000 tokens (1100 used)");
});

test("a turn fails at its limit of minutes, and says so", async () => {
  let now = Date.now();
  let answerMinutes = 16;
  const slowAnswer = async () => {
    now += answerMinutes * 60_000;
    return [write("new.md", "# New\n"), finish("Write a page")];
  };
  const { job, ended } = await runJob([slowAnswer], { DOCENT_JOB_MINUTES_MAX: "15" }, () => new Date(now));
  expect(ended).toMatchObject({ status: "failed", prLink: null });
  expect(ended.failureReason).toContain("longer than 15 minutes");
  // Each turn has its own time.
  answerMinutes = 1;
  await job.message("go");
  expect(await job.rest()).toMatchObject({ status: "completed", pullRequest: { state: "open" }, failureReason: null });
});

test("a model that runs in circles ends the job", async () => {
  const { ended } = await runJob([back], {});
  expect(ended).toMatchObject({ status: "failed" });
  expect(ended.failureReason).toContain("called read_file 3 times in a row with the same arguments");
  expect(scripted?.model.requests).toHaveLength(3);
});

test("a provider that refuses the key ends the job at once", async () => {
  const { ended } = await runJob([{ status: 401 }], {});
  expect(ended).toMatchObject({ status: "failed" });
  expect(ended.failureReason).toContain("refused the key (401): scripted 401. Check DOCENT_MODEL_API_KEY");
  expect(scripted?.model.requests).toHaveLength(1);
});
