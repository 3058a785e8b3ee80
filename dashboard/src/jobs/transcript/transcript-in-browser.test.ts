import { createDocent, type Docent, type Job } from "@docent/sdk";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createScriptedModel,
  type ModelScript,
  type ScriptedModel,
} from "../../../../server/src/agent/testing/scripted-model.ts";
import { HAS_BROWSER, inspectEverywhere, startDashboard, type TestDashboard } from "../../testing/browser.ts";

const FINISH = { name: "finish", arguments: { title: "Say hello", summary: "The page says **hello** now." } };
const HOSTILE = [
  "# Hostile",
  '<script>window.hurt = 1</script><img src=x onerror="window.hurt = 2">',
  "[press](javascript:window.hurt=3) ![look](https://elsewhere.example/pixel.png)",
  "| a | b |\n|---|---|\n| `1` | 2 |",
].join("\n\n");

/** An answer as it is stored. */
const answer = (...content: object[]): [string, object] => [
  "answer",
  { content, finishReason: "tool-calls", usage: { inputTokens: 10, outputTokens: 5 } },
];

/** A machine that is busy takes longer than usual. */
const PATIENCE = { timeout: 20_000 };

describe.skipIf(!HAS_BROWSER)("a transcript, in Chromium", () => {
  let dashboard: TestDashboard;
  let model: ScriptedModel;
  let script: ModelScript;
  let projectId: string;
  let docent: Docent;

  beforeAll(async () => {
    model = await createScriptedModel((request) => script(request));
    dashboard = await startDashboard({
      DOCENT_MODEL: "openai-compatible:scripted",
      DOCENT_MODEL_BASE_URL: model.url,
      DOCENT_JOB_STEPS_MAX: "1000",
    });
    const project = await dashboard.service.createProject();
    ({ projectId } = project);
    docent = createDocent({ baseUrl: dashboard.service.url, apiKey: project.key });
  });
  afterAll(async () => {
    await dashboard?.close();
    await model?.close();
  });
  beforeEach(() => {
    script = () => ({ toolCalls: [FINISH] });
  });

  const pathOf = ({ id }: Job): string => `/projects/${projectId}/jobs/${id}`;
  const transcript = (page: Page) => page.getByRole("list", { name: "Transcript" });
  const bottomGap = (page: Page): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight - window.scrollY);

  /** The row in the middle of the window, once it no longer moves. */
  async function restingRow(page: Page): Promise<{ position: string; top: number }> {
    const read = () =>
      page.evaluate(() => {
        const row = document.elementFromPoint(700, 450)?.closest("li");
        // Until it has been read as Markdown, a text is as high as it was written.
        const isRead = [...document.querySelectorAll("li[data-kind=text]")].every((text) => text.querySelector("p"));
        return { position: isRead ? (row?.ariaPosInSet ?? "") : "", top: row?.getBoundingClientRect().top ?? 0 };
      });
    let row = await read();
    await expect
      .poll(async () => {
        const last = row;
        row = await read();
        return row.position !== "" && row.position === last.position && row.top === last.top;
      }, PATIENCE)
      .toBe(true);
    return row;
  }

  async function topOf(page: Page, position: string): Promise<number> {
    await restingRow(page);
    const row = transcript(page).locator(`li[aria-posinset="${position}"]`);
    return row.evaluate((element) => element.getBoundingClientRect().top);
  }

  /** A job at rest with these events after its own. */
  async function seedJob(events: [type: string, data: object][]): Promise<Job> {
    const { id } = await docent.jobs.create(projectId, { prompt: "say hello" });
    await docent.jobs.waitFor(projectId, id, { pollMs: 50 });
    const { database } = dashboard.service.database;
    const { last_position: last } = await database
      .updateTable("jobs")
      .set(({ eb }) => ({ last_position: eb("last_position", "+", events.length) }))
      .where("id", "=", id)
      .returning("last_position")
      .executeTakeFirstOrThrow();
    const rows = events.map(([type, data], index) => ({
      job_id: id,
      position: last - events.length + index + 1,
      type,
      data: JSON.stringify(data),
    }));
    if (rows.length > 0) await database.insertInto("job_events").values(rows).execute();
    return docent.jobs.get(projectId, id);
  }

  test("an answer is read while it is written; thoughts, calls and refusals are folded behind a line", async () => {
    const [begun, told] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    script = ({ index }) => {
      const step = index % 3;
      if (step === 0) {
        return {
          reasoning: "They want me to be *kind*.",
          text: [begun.promise, told.promise],
          toolCalls: [{ name: "read_file", arguments: { path: "index.mdx" } }],
        };
      }
      if (step === 1) {
        return {
          toolCalls: [
            { name: "edit_file", arguments: { path: "nowhere.mdx", edits: [{ old: "a", new: "b" }] } },
            { name: "todo_write", arguments: { todos: [{ content: "Say hello", status: "completed" }] } },
            { name: "check_docs", arguments: {} },
          ],
        };
      }
      return { toolCalls: [FINISH] };
    };
    const start = model.requests.length;
    const realScript = script;
    script = (request) => realScript({ ...request, index: request.index - start });
    const job = await docent.jobs.create(projectId, { prompt: "say hello" });
    const { page, context, problems } = await dashboard.open(pathOf(job));
    await transcript(page).getByText("say hello").waitFor();
    begun.resolve("I look at the **start page**");
    await transcript(page).locator("strong", { hasText: "start page" }).waitFor();
    await page.getByText("Active", { exact: true }).waitFor();
    told.resolve(" and then on.");
    await transcript(page).getByText("and then on.").waitFor();
    await transcript(page).getByText("hello", { exact: true }).waitFor();

    await transcript(page)
      .getByRole("button", { name: /^Thought about it/ })
      .click();
    await transcript(page).getByText("They want me to be *kind*.").last().waitFor();
    await transcript(page)
      .getByRole("button", { name: /^Read index\.mdx/ })
      .click();
    await transcript(page).getByText("This documentation has just begun.").waitFor();
    await transcript(page)
      .getByRole("button", { name: /^Edit nowhere\.mdx.*refused/ })
      .waitFor();
    await transcript(page)
      .getByRole("button", { name: /^Check the docs · no problems/ })
      .waitFor();
    await transcript(page).getByRole("button", { name: /^Plan/ }).click();
    await transcript(page).getByText("☑ Say hello").waitFor();
    expect(problems).toEqual([]);
    await context.close();
    await inspectEverywhere(dashboard, {
      path: pathOf(job),
      name: "transcript",
      isLive: true,
      async ready(each) {
        for (const name of [/^Read/, /^Edit/, /^Check/]) {
          await transcript(each).getByRole("button", { name }).click();
        }
        await transcript(each).getByText("This documentation has just begun.").waitFor();
      },
    });
  });

  test("a job that waits for its model says for what and how long", async () => {
    script = () => ({ status: 503, message: "overloaded" });
    const job = await docent.jobs.create(projectId, { prompt: "say hello" });
    await inspectEverywhere(dashboard, {
      path: pathOf(job),
      name: "job-waiting",
      isLive: true,
      ready: (page) => page.getByText(/It is tried again (?:in|now)/).waitFor({ timeout: 60_000 }),
    });
    script = () => ({ toolCalls: [FINISH] });
    await docent.jobs.archive(projectId, job.id);
  }, 120_000);

  test("what a model writes does nothing but read", async () => {
    const job = await seedJob([answer({ type: "text", text: HOSTILE })]);
    const { page, context, problems } = await dashboard.open(pathOf(job));
    await transcript(page).getByRole("heading", { name: "Hostile" }).waitFor();
    await transcript(page).getByRole("table").waitFor();
    expect(await transcript(page).locator("img, script, a[href^='javascript']").count()).toBe(0);
    expect(await page.evaluate(() => "hurt" in window)).toBe(false);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("2,000 events and a result of 1 MB: the page stays small, opens all of it, and keeps the reader's place", async () => {
    const steps = Array.from({ length: 500 }, (_, step): [string, object][] => [
      ["note", { text: `Note ${step}` }],
      answer(
        {
          type: "text",
          text: `Step **${step}**.\n\nSome words about it, of more than a line. ${"word ".repeat(step % 60)}`,
        },
        { type: "tool-call", toolCallId: `call_${step}`, toolName: "read_file", input: { path: `page-${step}.mdx` } },
      ),
      [
        "tool-result",
        { toolCallId: `call_${step}`, toolName: "read_file", output: { type: "text", value: `1→page ${step}` } },
      ],
      ["compaction", { stage: "trim" }],
    ]).flat();
    const huge = Array.from({ length: 20_000 }, (_, line) => `${line + 1}→a line that is fifty characters long or so`);
    const job = await seedJob([
      ...steps,
      answer({ type: "tool-call", toolCallId: "huge", toolName: "read_file", input: { path: "huge.md" } }),
      ["tool-result", { toolCallId: "huge", toolName: "read_file", output: { type: "text", value: huge.join("\n") } }],
    ]);
    const { page, context, problems } = await dashboard.open(pathOf(job));
    await transcript(page).getByText("say hello").first().waitFor();
    await page.getByRole("button", { name: "Jump to the newest" }).click();
    await transcript(page)
      .getByRole("button", { name: /^Read huge\.md/ })
      .waitFor();
    await expect.poll(() => bottomGap(page), PATIENCE).toBeLessThan(4);
    expect(await transcript(page).getByRole("listitem").count()).toBeLessThan(80);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(2_000);

    await transcript(page)
      .getByRole("button", { name: /^Read huge\.md/ })
      .click();
    await page
      .getByRole("button", { name: /^Show all 9?\d\d,\d{3} characters|^Show all 1,\d{3},\d{3} characters/ })
      .click();
    const started = performance.now();
    const whole = page.getByRole("region", { name: "The result" });
    await whole.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await whole.getByText("20000→a line").waitFor();
    expect(performance.now() - started).toBeLessThan(5_000);

    // Back in the middle, what comes at the end leaves the reader where they are.
    await page.evaluate(() => window.scrollTo(0, 9_000));
    const before = await restingRow(page);
    await docent.jobs.message(projectId, job.id, { prompt: "and more" });
    const done = await docent.jobs.waitFor(projectId, job.id, { pollMs: 50 });
    expect(done.failureReason).toBeNull();
    await page.getByText("Completed", { exact: true }).waitFor();
    expect(Math.abs((await topOf(page, before.position)) - before.top)).toBeLessThan(5);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("the end stays in sight while a job is worked on, until the reader scrolls up", async () => {
    const gates = Array.from({ length: 40 }, () => Promise.withResolvers<void>());
    const start = model.requests.length;
    script = async ({ index }) => {
      const step = index - start;
      await gates[step]?.promise;
      if (step >= gates.length - 1) return { toolCalls: [FINISH] };
      return {
        text: `Step ${step}.\n\nIt takes\n\nsome room.`,
        toolCalls: [{ name: "list_files", arguments: { offset: step } }],
      };
    };
    const job = await docent.jobs.create(projectId, { prompt: "say hello" });
    const { page, context } = await dashboard.open(pathOf(job), { height: 600 });
    for (const gate of gates.slice(0, 20)) gate.resolve();
    await transcript(page).getByText("Step 19.").waitFor();
    await expect.poll(() => bottomGap(page), PATIENCE).toBeLessThan(4);
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, -900);
    await page.getByRole("button", { name: "Jump to the newest" }).waitFor();
    const before = await restingRow(page);
    for (const gate of gates) gate.resolve();
    await page.getByText("Completed", { exact: true }).waitFor();
    expect(Math.abs((await topOf(page, before.position)) - before.top)).toBeLessThan(5);
    await page.getByRole("button", { name: "Jump to the newest" }).click();
    await transcript(page).getByText(/^Done/).waitFor();
    await expect.poll(() => bottomGap(page), PATIENCE).toBeLessThan(4);
    await context.close();
  });

  test("a page that is not looked at listens to nothing, and misses nothing", async () => {
    const job = await seedJob([]);
    const { page, context } = await dashboard.open(pathOf(job), { role: "editor" });
    await transcript(page).getByText(/^Done/).waitFor();
    const setHidden = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        Object.defineProperty(document, "visibilityState", {
          value: hidden ? "hidden" : "visible",
          configurable: true,
        });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      }, isHidden);
    const ended = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/events"));
    await setHidden(true);
    await ended;
    await docent.jobs.message(projectId, job.id, { prompt: "unseen" });
    await docent.jobs.waitFor(projectId, job.id, { pollMs: 50 });
    expect(await transcript(page).getByText("unseen").count()).toBe(0);
    await setHidden(false);
    await expect.poll(() => transcript(page).getByText(/^Done/).count(), PATIENCE).toBe(2);
    expect(await transcript(page).getByText("unseen").count()).toBe(1);
    await context.close();
  });

  test("the service goes away and comes back: nothing is missing and nothing comes twice", async () => {
    script = () => ({ text: "One answer.", toolCalls: [FINISH] });
    const job = await docent.jobs.create(projectId, { prompt: "say hello" });
    await docent.jobs.waitFor(projectId, job.id, { pollMs: 50 });
    const { page, context } = await dashboard.open(pathOf(job), { role: "editor" });
    await transcript(page).getByText("One answer.").waitFor();
    await dashboard.service.restart(async () => {
      await page.getByText("The service does not answer.").waitFor();
      await page.getByLabel("Follow-up").fill("and once more");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("The service cannot be reached").waitFor();
    });
    await page.getByText("The service does not answer.").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => transcript(page).getByText("One answer.").count(), PATIENCE).toBe(2);
    await page.getByText("Completed", { exact: true }).waitFor();
    expect(await transcript(page).getByText("and once more").count()).toBe(1);
    expect(await transcript(page).getByText("say hello", { exact: true }).count()).toBe(1);
    await context.close();
  });
});
