import { createDocent, type Docent, type Job } from "@docent/sdk";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestRepository, type TestRepository } from "../../../server/src/git/testing/repository.ts";
import { HAS_BROWSER, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";

/** A machine that is busy takes longer than usual. */
const PATIENCE = { timeout: 20_000 };

describe.skipIf(!HAS_BROWSER)("a job's page, in Chromium", () => {
  let dashboard: TestDashboard;
  let repository: TestRepository;
  let projectId: string;
  let docent: Docent;

  beforeAll(async () => {
    [dashboard, repository] = await Promise.all([startDashboard(), createTestRepository()]);
    await repository.commit("main", {
      "docs.json": JSON.stringify({ name: "Lantern", navigation: { pages: ["index", "guides/install"] } }, null, 2),
      "index.mdx": "---\ntitle: Start\n---\n\nLantern Hub is here. See [the guide](/guides/instal).\n",
      "guides/install.mdx": "---\ntitle: Install\n---\n\nInstall Lantern Hub, then start Lantern Hub.\n",
    });
    const project = await dashboard.service.createProject({ repository: repository.directory });
    ({ projectId } = project);
    docent = createDocent({ baseUrl: dashboard.service.url, apiKey: project.key });
  });
  afterAll(async () => {
    await dashboard?.close();
    await repository?.remove();
  });

  async function runJob(prompt: string): Promise<Job> {
    const { id } = await docent.jobs.create(projectId, { prompt });
    return docent.jobs.waitFor(projectId, id, { pollMs: 50 });
  }
  const pathOf = ({ id }: Job): string => `/projects/${projectId}/jobs/${id}`;
  const transcript = (page: Page) => page.getByRole("list", { name: "Transcript" });

  test("a job that came to a pull request: what it did, what changed, and where it went", async () => {
    const job = await runJob('replace "Lantern Hub" with "Lantern Cloud"');
    expect(job.failureReason).toBeNull();
    await inspectEverywhere(dashboard, {
      path: pathOf(job),
      isLive: true,
      name: "job-completed",
      ready: (page) => transcript(page).getByText(/^Done/).waitFor(),
    });
    await inspectEverywhere(dashboard, {
      path: `${pathOf(job)}?view=changes`,
      isLive: true,
      name: "job-changes",
      ready: (page) => page.getByText("guides/install.mdx").first().waitFor(),
    });

    const { page, context, problems } = await dashboard.open(pathOf(job));
    await transcript(page)
      .getByRole("button", { name: /^Replace Lantern Hub → Lantern Cloud/ })
      .click();
    await transcript(page).getByText("Arguments of replace_text").waitFor();
    await page.getByRole("tab", { name: "Changes (2)" }).click();
    await page.getByText("guides/install.mdx").first().waitFor();
    await page.goBack();
    await page.goto(dashboard.service.url + pathOf(job));
    await page.getByRole("link", { name: "Pull request #1" }).first().click();
    await page.waitForURL(`**/projects/${projectId}/pull/1`);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a follow-up is written, is worked on, and is seen by another who looks on", async () => {
    const job = await runJob("fix broken links");
    const other = await dashboard.open(pathOf(job), { role: "viewer" });
    const { page, context, problems } = await dashboard.open(pathOf(job), { role: "editor" });
    await transcript(page).getByText(/^Done/).waitFor();
    await page.getByLabel("Follow-up").fill('set description to "Begin here" in index');
    await page.keyboard.press("Control+Enter");
    for (const each of [page, other.page]) {
      await transcript(each).getByText('set description to "Begin here" in index').waitFor();
      await expect.poll(() => transcript(each).getByText(/^Done/).count(), PATIENCE).toBe(2);
      await each.getByText("Completed", { exact: true }).waitFor();
      await transcript(each).getByText("Test editor").waitFor();
    }
    expect(await page.getByLabel("Follow-up").inputValue()).toBe("");
    // Who may only read is offered nothing else.
    expect(await other.page.getByLabel("Follow-up").count()).toBe(0);
    expect(await other.page.getByRole("button", { name: "Archive" }).count()).toBe(0);
    expect([...problems, ...other.problems]).toEqual([]);
    await context.close();
    await other.context.close();
  });

  test("a job that failed says why, and takes another instruction", async () => {
    const job = await runJob("make it nicer");
    expect(job.status).toBe("failed");
    await inspectEverywhere(dashboard, {
      path: pathOf(job),
      isLive: true,
      name: "job-failed",
      ready: (page) => transcript(page).getByText("Failed", { exact: true }).waitFor(),
    });
    const { page, context } = await dashboard.open(pathOf(job), { role: "editor" });
    await page.getByText("The job failed").waitFor();
    await page.getByLabel("Follow-up").fill("fix broken links");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Completed", { exact: true }).waitFor();
    expect(await page.getByText("The job failed").count()).toBe(0);
    await context.close();
  });

  test("archiving asks first, and then there is nothing to send", async () => {
    const job = await runJob("fix broken links");
    const { page, context } = await dashboard.open(pathOf(job), { role: "editor" });
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("dialog").getByText("this cannot be taken back").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect((await docent.jobs.get(projectId, job.id)).status).toBe("completed");
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("button", { name: "Archive the job" }).click();
    await page.getByText("Archived", { exact: true }).waitFor();
    await transcript(page)
      .getByText(/^Archived/)
      .waitFor();
    await expect.poll(() => page.getByLabel("Follow-up").count(), PATIENCE).toBe(0);
    await inspectEverywhere(dashboard, {
      path: pathOf(job),
      isLive: true,
      name: "job-archived",
      ready: (each) =>
        transcript(each)
          .getByText(/^Archived/)
          .waitFor(),
    });
    await context.close();
  });

  test("100 kB and a text from right to left are shown, folded and whole", async () => {
    const long = await runJob(`${"x".repeat(40)} ${"the quick brown fox ".repeat(4_990)}END`);
    const { page, context } = await dashboard.open(pathOf(long), { width: 380 });
    await page
      .getByRole("button", { name: /^Show all 99,\d+ characters$/ })
      .first()
      .click();
    await page.getByRole("region", { name: "The message" }).getByText(/END$/).waitFor();
    await context.close();

    const hebrew = await runJob("תקן את כל הקישורים השבורים");
    await inspectEverywhere(dashboard, {
      path: pathOf(hebrew),
      isLive: true,
      name: "job-right-to-left",
      ready: (each) => transcript(each).getByText("Failed", { exact: true }).waitFor(),
    });
    const watched = await dashboard.open(pathOf(hebrew));
    const heading = watched.page.getByRole("heading", { level: 1 });
    await heading.waitFor();
    expect(await heading.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
    await watched.context.close();
  });

  test("there is no such job", async () => {
    const { page, context } = await dashboard.open(`/projects/${projectId}/jobs/job_00000000000000000000000000`);
    await page.getByRole("alert").getByText("There is nothing here").first().waitFor();
    await context.close();
  });
});
