import { afterEach, expect, test } from "vitest";
import type { ModelScript } from "../agent/testing/scripted-model.ts";
import type { ProjectSettings } from "../database/schema.ts";
import type { JobEvent } from "./job.ts";
import { edit, finish, page, read, scriptByPrompt, write } from "./testing/script.ts";
import { startScriptedService, type ScriptedProject, type ScriptedService } from "./testing/scripted-service.ts";

const FILES = { "index.md": "# Start\n\nAcme is here.\n", "more.md": "# More\n" };
const SCRIPTED = "openai-compatible:scripted";
const OTHER = "openai-compatible:other";

let scripted: ScriptedService | undefined;
afterEach(() => scripted?.close());

async function open(
  script: ModelScript,
  environment: Record<string, string> = {},
  { files = FILES, settings = {} }: { files?: Record<string, string>; settings?: ProjectSettings } = {},
): Promise<{ service: ScriptedService; project: ScriptedProject }> {
  scripted = await startScriptedService({ script, environment });
  return { service: scripted, project: await scripted.addProject(files, settings) };
}

function prices(table: Record<string, { input: number; output: number; contextTokens?: number }>) {
  return { DOCENT_MODEL_PRICES: JSON.stringify(table) };
}

const ofType = (events: JobEvent[], type: JobEvent["type"]): JobEvent[] =>
  events.filter((event) => event.type === type);

const hasRested = ({ type, data }: JobEvent): boolean =>
  type === "status" && !("status" in data && data.status === "active");

const rename = [[read("index.md")], [edit("index.md", "Acme", "Emca"), finish("Rename Acme")]];

test("a job that has to wait for its model leaves its place to others", async () => {
  const byPrompt = scriptByPrompt({ rename });
  const { project } = await open(
    (request) =>
      JSON.stringify(request.messages).includes("wait for it")
        ? { status: 429, retryAfterMs: 600_000 }
        : byPrompt(request),
    { DOCENT_JOBS_CONCURRENCY: "1" },
  );
  const waiting = await project.createJob("wait for it");
  const other = await project.createJob("rename");
  expect(await other.rest()).toMatchObject({ status: "completed", failureReason: null });
  const job = await waiting.get();
  expect(job).toMatchObject({
    status: "active",
    failureReason: null,
    waiting: { reason: expect.stringContaining("429") },
  });
  expect(Date.parse(job.waiting?.until ?? "")).toBeGreaterThan(Date.now() + 500_000);
});

test("a wait that the turn has no time for fails the job at once, and says so", async () => {
  const { service, project } = await open(() => ({ status: 429, retryAfterMs: 600_000 }), {
    DOCENT_JOB_MINUTES_MAX: "5",
  });
  const { failureReason } = await (await project.createJob("rename")).rest();
  expect(failureReason).toMatch(/limits how often it may be called \(429\)\. The job would have to wait 600 seconds/);
  expect(service.model.requests).toHaveLength(1);
});

test("another model goes on where the job's own refuses, for the rest of the turn, and the answers name it", async () => {
  const byPrompt = scriptByPrompt({ rename });
  const { service, project } = await open(
    (request) => (request.model === "scripted" ? { status: 401 } : byPrompt(request)),
    { DOCENT_MODEL_FALLBACK: OTHER },
  );
  const job = await project.createJob("rename");
  const events = await job.eventsUntil(hasRested);
  expect(await job.get()).toMatchObject({ status: "completed", model: SCRIPTED });
  expect(ofType(events, "answer").map(({ data }) => data)).toMatchObject([{ model: OTHER }, { model: OTHER }]);
  expect(service.model.requests.map(({ model }) => model)).toEqual(["scripted", "other", "other"]);
});

test("a job that no model takes says why of each", async () => {
  const { project } = await open(
    ({ model }) => ({ status: model === "scripted" ? 401 : 404 }),
    {},
    {
      settings: { fallbackModel: OTHER },
    },
  );
  const { status, failureReason } = await (await project.createJob("rename")).rest();
  expect(status).toBe("failed");
  expect(failureReason).toMatch(/refused the key \(401\).*does not know this model or address \(404\)/);
});

test("what a job costs is counted, and ends it at its limit", async () => {
  const steps = rename.map((toolCalls) => ({ toolCalls, usage: { inputTokens: 1_000, outputTokens: 100 } }));
  const { project } = await open(
    scriptByPrompt({ rename: steps, again: [{ text: "Nothing to do." }] }),
    {
      ...prices({ [SCRIPTED]: { input: 2, output: 10 } }),
      DOCENT_JOB_COST_MAX_USD: "0.01",
    },
    { settings: { costMaxUsd: 0.006 } },
  );
  const job = await project.createJob("rename");
  expect(await job.rest()).toMatchObject({
    status: "completed",
    usage: { steps: 2, inputTokens: 2_000, cachedInputTokens: 0, outputTokens: 200, costUsd: 0.006 },
  });
  await job.message("again");
  expect((await job.rest()).failureReason).toMatch(/cost limit of \$0\.006 \(\$0\.0060 used\)/);
});

test("a limit of the cost and a price that nobody knows do not go together", async () => {
  const { service, project } = await open(scriptByPrompt({ rename }), { DOCENT_JOB_COST_MAX_USD: "1" });
  const { failureReason } = await (await project.createJob("rename")).rest();
  expect(failureReason).toMatch(
    /may cost \$1, and the price of openai-compatible:scripted is not known.*DOCENT_MODEL_PRICES/,
  );
  expect(service.model.requests).toHaveLength(0);
});

test("a conversation that grows too long is shortened, then summarised, and goes on", async () => {
  const paths = Array.from({ length: 16 }, (_, index) => `page-${index}.md`);
  const files = Object.fromEntries(paths.map((path) => [path, page(path, "Acme and more.\n".repeat(600))]));
  let summaries = 0;
  let longest = 0;
  const { service, project } = await open(
    ({ messages, tools }) => {
      const characters = JSON.stringify(messages).length;
      longest = Math.max(longest, characters);
      const usage = { inputTokens: Math.ceil(characters / 4), outputTokens: 10 };
      if (tools.length === 0) {
        summaries += 1;
        return { text: "I have read every page. What is left: finish.", usage };
      }
      const asked = messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.function.arguments);
      const isSummarised = JSON.stringify(messages).includes("What is left: finish");
      const next = isSummarised ? undefined : paths.find((path) => !asked.some((json) => json.includes(path)));
      return {
        toolCalls: next === undefined ? [write("new.md", "# New\n"), finish("Done")] : [read(next)],
        text: "I think. ".repeat(500),
        usage,
      };
    },
    prices({ [SCRIPTED]: { input: 1, output: 1, contextTokens: 20_000 } }),
    { files },
  );
  const job = await project.createJob("Look at each page");
  const events = await job.eventsUntil(hasRested);
  expect(await job.get()).toMatchObject({ status: "completed", failureReason: null });
  const stages = ofType(events, "compaction").map(({ data }) => data);
  expect(stages[0]).toEqual({ stage: "trim" });
  expect(stages).toContainEqual(
    expect.objectContaining({ stage: "summary", text: expect.stringContaining("every page") }),
  );
  expect(summaries).toBe(stages.filter((stage) => "text" in stage).length);
  expect(longest).toBeLessThan(20_000 * 4);
  expect(JSON.stringify(service.model.requests.at(-1)?.messages)).toContain("Look at each page");
});

test("a provider that finds the conversation too long gets a shorter one, or the job says so", async () => {
  const tooLong = { status: 400, message: "This model's maximum context length is 8192 tokens." };
  const { project } = await open(({ messages, tools }) => {
    const text = JSON.stringify(messages);
    if (tools.length === 0) return { text: "The page was read." };
    if (text.includes("go on for ever")) return tooLong;
    if (text.includes("The page was read.")) return { toolCalls: [finish("Done")] };
    return messages.some(({ role }) => role === "tool") ? tooLong : { toolCalls: [read("index.md")] };
  });
  expect(await (await project.createJob("read")).rest()).toMatchObject({ status: "completed" });
  const { failureReason } = await (await project.createJob("go on for ever")).rest();
  expect(failureReason).toMatch(/too long for this model\. The instruction is too long for the model/);
});

test("the text of an answer is heard while the model writes it, and then stored as a whole", async () => {
  let release = (_text: string): void => {};
  const rest = new Promise<string>((resolve) => (release = resolve));
  const { project } = await open(() => ({ text: ["Hello, ", "\u{1F600}", rest] }));
  const job = await project.createJob("greet");
  const heard: string[] = [];
  const events = await job.eventsUntil((event) => {
    if ("text" in event.data && "offset" in event.data) {
      expect(event.data.offset).toBe(heard.join("").length);
      heard.push(String(event.data.text));
      // Only once somebody has heard the beginning does the model go on.
      if (heard.join("") === "Hello, \u{1F600}") release("world.");
    }
    return event.type === "answer";
  });
  expect(heard.join("")).toMatch(/^Hello, \u{1F600}/u);
  expect(events.at(-1)?.data).toMatchObject({ content: [{ type: "text", text: "Hello, \u{1F600}world." }] });
  expect(await job.rest()).toMatchObject({ status: "completed" });
});
