import { createDocent, type Docent } from "@docent/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";

/** A machine that is busy takes longer than usual. */
const PATIENCE = { timeout: 20_000 };

describe.skipIf(!HAS_BROWSER)("the list of jobs, in Chromium", () => {
  let dashboard: TestDashboard;
  let projectId: string;
  let docent: Docent;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    dashboard = await startDashboard();
    const project = await dashboard.service.createProject();
    ({ projectId } = project);
    docent = createDocent({ baseUrl: dashboard.service.url, apiKey: project.key });
    for (const [name, prompt] of [
      ["done", 'set description to "Read first" in index'],
      ["failed", `${"A very long instruction that nobody understands, ".repeat(4)}\nwith a needle in its second line`],
      ["hebrew", "תקן את כל הקישורים השבורים"],
      ["archived", "fix broken links"],
    ] as const) {
      const { id } = await docent.jobs.create(projectId, { prompt });
      await docent.jobs.waitFor(projectId, id, { pollMs: 50 });
      ids[name] = id;
    }
    await docent.jobs.archive(projectId, ids["archived"] ?? "");
  });
  afterAll(() => dashboard?.close());

  const path = (): string => `/projects/${projectId}/jobs`;

  test("the page holds at every width, light and dark, with jobs and without", async () => {
    await inspectEverywhere(dashboard, {
      path: path(),
      name: "jobs",
      ready: (page) => page.getByRole("listitem").nth(3).waitFor(),
    });
    const { projectId: empty } = await dashboard.service.createProject();
    await inspectEverywhere(dashboard, {
      path: `/projects/${empty}/jobs`,
      name: "jobs-empty",
      ready: (page) => page.getByText("No jobs yet").waitFor(),
    });
  });

  test("status and search narrow it, stand in the address, and survive a reload", async () => {
    const { page, context, problems } = await dashboard.open(path());
    const rows = page.getByRole("list", { name: "Jobs" }).getByRole("listitem");
    await expect.poll(() => rows.count(), PATIENCE).toBe(4);
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Failed" }).click();
    await expect.poll(() => rows.count(), PATIENCE).toBe(2);
    expect(new URL(page.url()).search).toBe("?status=failed");
    await page.getByLabel("Search", { exact: true }).fill("NEEDLE");
    await expect.poll(() => rows.count(), PATIENCE).toBe(1);
    await page.reload();
    await expect.poll(() => rows.count(), PATIENCE).toBe(1);
    expect(new URL(page.url()).search).toBe("?status=failed&search=NEEDLE");

    await page.getByLabel("Search", { exact: true }).fill("nothing is like this %");
    await page.getByText("No job is like that").waitFor();
    await page.getByRole("button", { name: "Show all jobs" }).click();
    await expect.poll(() => rows.count(), PATIENCE).toBe(4);
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("");
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a job is opened by keyboard, and a pull request beside it", async () => {
    const { page, context } = await dashboard.open(path());
    await page.getByRole("link", { name: "fix broken links" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/jobs/${ids["archived"]}`);
    await page.goBack();
    await page.getByRole("link", { name: "Pull request #1" }).click();
    await page.waitForURL(`**/projects/${projectId}/pull/1`);
    await context.close();
  });

  test("what somebody else starts appears by itself, and becomes what it comes to", async () => {
    const { page, context } = await dashboard.open(path());
    await page.getByRole("list", { name: "Jobs" }).waitFor();
    const { id } = await docent.jobs.create(projectId, { prompt: "move index to start" });
    const row = page.getByRole("listitem").filter({ has: page.locator(`a[href$="/jobs/${id}"]`) });
    await row.waitFor({ timeout: 20_000 });
    await docent.jobs.waitFor(projectId, id, { pollMs: 50 });
    await row.getByText(/Completed|Failed/).waitFor({ timeout: 20_000 });
    await context.close();
  });

  test("a viewer starts nothing", async () => {
    const { page, context } = await dashboard.open(path(), { role: "viewer" });
    await page.getByRole("list", { name: "Jobs" }).waitFor();
    expect(await page.getByRole("link", { name: "New job" }).count()).toBe(0);
    await context.close();
  });

  test("10,000 jobs: the page stays small, reads on by itself, and knows the newest", async () => {
    const project = await dashboard.service.createProject();
    for (let first = 1; first <= 10_000; first += 2_000) {
      const rows = Array.from({ length: 2_000 }, (_, index) => ({
        id: `job_${String(first + index).padStart(26, "0")}`,
        project_id: project.projectId,
        title: `Job number ${first + index}`,
        status: "completed" as const,
        model: "docent:offline",
        repository_url: "http://127.0.0.1/git/x.git",
        ref: "main",
      }));
      await dashboard.service.database.database.insertInto("jobs").values(rows).execute();
    }
    const { page, context, problems } = await dashboard.open(`/projects/${project.projectId}/jobs`);
    const rows = page.getByRole("list", { name: "Jobs" }).getByRole("listitem");
    await page.getByText("Job number 10000", { exact: true }).waitFor();
    for (let number = 9_950; number >= 9_000; number -= 50) {
      await page.mouse.wheel(0, 50 * 68);
      await expect
        .poll(() => rows.last().locator("a").first().innerText(), { ...PATIENCE, interval: 20 })
        .toSatisfy((title: string) => Number(title.split(" ").at(-1)) <= number);
      expect(await rows.count()).toBeLessThan(80);
    }
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(2_500);

    // The way back from a job leads to where the reader was.
    const place = await page.evaluate(() => window.scrollY);
    await page.getByText("Job number 9000", { exact: true }).click();
    await page.waitForURL(/\/jobs\/job_\w+$/);
    await page.getByRole("heading", { level: 1, name: "Job number 9000" }).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await page.getByText("Job number 9000", { exact: true }).waitFor();
    expect(Math.abs((await page.evaluate(() => window.scrollY)) - place)).toBeLessThan(200);

    const own = createDocent({ baseUrl: dashboard.service.url, apiKey: project.key });
    const { id } = await own.jobs.create(project.projectId, { prompt: "fix broken links" });
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole("link", { name: "fix broken links" }).waitFor({ timeout: 20_000 });
    expect(id.localeCompare("job_00")).toBe(1);
    expect(await rows.nth(1).locator("a").first().innerText()).toBe("Job number 10000");
    expect(problems).toEqual([]);
    await context.close();
  });
});
