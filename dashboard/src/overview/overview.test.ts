import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, utcDay } from "../readers/range.ts";
import { AGENTS, sendVisits } from "../testing/visits.ts";
import { HAS_BROWSER, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";
import { watchJavaScript } from "../testing/javascript.ts";

const LONG = "A project with a name that goes on and on ".repeat(4).trim();
const JAVASCRIPT_BYTES_MAX = 200_000;

describe.skipIf(!HAS_BROWSER)("a project's overview, in Chromium", () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard?.close());

  async function request(method: string, path: string, key: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(dashboard.service.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json() as Promise<Record<string, unknown>>;
  }

  const step = (page: Page, title: string) => page.getByRole("listitem").filter({ hasText: title });
  const isDone = (page: Page, title: string) => step(page, title).getByRole("img", { name: "Done:" }).waitFor();

  async function createProject(name: string): Promise<string> {
    const { id } = await request("POST", "/v1/projects", dashboard.service.adminToken, { name });
    return String(id);
  }

  test("a new project's holds at every width, light and dark", async () => {
    await inspectEverywhere(dashboard, {
      path: `/projects/${await createProject(LONG)}`,
      name: "overview-new",
      ready: (page) => page.getByText("of 6 done").waitFor(),
    });
  });

  test("a new project says what is left to do, and where, and knows what is done as it is done", async () => {
    const projectId = await createProject("Docs");
    const path = `/projects/${projectId}`;
    const { page, context, problems } = await dashboard.open(path);
    await isDone(page, "The repository is ready");
    await page.getByText("1 of 6 done").waitFor();
    await page.getByRole("link", { name: "Make an API key" }).click();
    await page.waitForURL(`**${path}/keys`);
    const { key } = await request("POST", `/v1/projects/${projectId}/keys`, dashboard.service.adminToken, {
      name: "ci",
    });
    await page.goBack();
    await isDone(page, "Make an API key");

    const prompt = 'Add a page guides/first titled "First" with the text: Hello';
    const job = await request("POST", `/v2/agent/${projectId}/job`, String(key), { prompt });
    // The page finds out by itself.
    await isDone(page, "Start a first job");
    const row = page.getByRole("list", { name: "Latest jobs" }).getByRole("listitem");
    await row.filter({ hasText: "Completed" }).waitFor();
    const { pullRequest } = await request("GET", `/v2/agent/${projectId}/job/${String(job["id"])}`, String(key));
    const { number } = pullRequest as { number: number };
    await request("POST", `/v1/projects/${projectId}/pulls/${number}/merge`, String(key));
    await sendVisits(dashboard.service, { projectId, key: String(key) }, [
      { path: "/", visitorId: "ada" },
      { path: "/", ip: "192.0.2.1", userAgent: AGENTS.gptBot },
    ]);
    // All is done, and the list of it has gone.
    await page.reload();
    await page.getByRole("group", { name: "AI agents" }).waitFor();
    await page.getByRole("heading", { name: "Latest jobs" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByText("of 6 done").count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("jobs and readers in short", async () => {
    const { projectId, key } = await dashboard.service.createProject();
    const today = utcDay(new Date());
    await sendVisits(dashboard.service, { projectId, key }, [
      ...Array.from({ length: 12 }, (_, index) => ({
        path: "/",
        visitorId: `reader-${index % 5}`,
        day: addDays(today, -((index * 5) % 28)),
      })),
      { path: "/", ip: "192.0.2.1", userAgent: AGENTS.gptBot, day: addDays(today, -3) },
      { path: "/", visitorId: "ada", day: addDays(today, -30) },
    ]);
    const prompts = ["Fix broken links", "غيّر اسم المنتج", "Sing a song", "x".repeat(300)];
    for (const prompt of prompts) await request("POST", `/v2/agent/${projectId}/job`, key, { prompt });
    await inspectEverywhere(dashboard, {
      path: `/projects/${projectId}`,
      name: "overview",
      async ready(page) {
        await page.getByRole("group", { name: "People" }).getByText("+400%").waitFor();
        await page
          .getByRole("img", { name: /^Visitors by day: at most \d+ people and 1 AI agents on a day$/ })
          .waitFor();
      },
    });
    const { page, context } = await dashboard.open(`/projects/${projectId}`, { role: "viewer" });
    const jobs = page.getByRole("list", { name: "Latest jobs" }).getByRole("listitem");
    await jobs.nth(3).waitFor();
    expect(await jobs.count()).toBe(4);
    expect(await page.getByRole("link", { name: "New job" }).count()).toBe(0);
    await page.getByRole("link", { name: "All readers" }).click();
    await page.waitForURL(`**/projects/${projectId}/readers`);
    await context.close();
  });

  test("whoever has seen enough of what is left hides it", async () => {
    const { projectId } = await dashboard.service.createProject();
    const { page, context } = await dashboard.open(`/projects/${projectId}`);
    await page.getByRole("button", { name: "Hide" }).click();
    await page.reload();
    await page.getByRole("heading", { name: "Latest jobs" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByText("of 6 done").count()).toBe(0);
    await context.close();
  });

  test("it takes less than 200 kB of JavaScript", async () => {
    const { projectId } = await dashboard.service.createProject();
    const { page, context } = await dashboard.open("/healthz");
    const fetched = watchJavaScript(page);
    await page.goto(`${dashboard.service.url}/projects/${projectId}`);
    await page.getByRole("heading", { name: "Latest jobs" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await fetched()).toBeGreaterThan(50_000);
    expect(await fetched()).toBeLessThan(JAVASCRIPT_BYTES_MAX);
    await context.close();
  });
});
