import { createDocent, type Docent } from "@docent/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";

describe.skipIf(!HAS_BROWSER)("starting a job, in Chromium", () => {
  let dashboard: TestDashboard;
  let projectId: string;
  let docent: Docent;

  beforeAll(async () => {
    dashboard = await startDashboard();
    const project = await dashboard.service.createProject();
    ({ projectId } = project);
    docent = createDocent({ baseUrl: dashboard.service.url, apiKey: project.key });
  });
  afterAll(() => dashboard?.close());

  const path = (): string => `/projects/${projectId}/jobs/new`;

  test("the page holds at every width, light and dark", async () => {
    await inspectEverywhere(dashboard, {
      path: path(),
      name: "new-job",
      role: "editor",
      async ready(page) {
        await page.getByRole("button", { name: "Options" }).click();
        await page.getByLabel("Open the pull request as a draft").waitFor();
      },
    });
  });

  test("each example is carried out, on a project that has just begun", async () => {
    const { page, context } = await dashboard.open(path());
    const examples = page.locator("h2:has-text('For example') ~ button");
    await examples.first().waitFor();
    for (const example of await examples.allInnerTexts()) {
      const { id } = await docent.jobs.create(projectId, { prompt: example });
      const done = await docent.jobs.waitFor(projectId, id, { pollMs: 50 });
      expect([done.status, done.failureReason], example).toEqual(["completed", null]);
    }
    // Now the page knows the model.
    await page.reload();
    await page.getByRole("button", { name: "What it understands" }).click();
    await page.getByText("Set a front matter field").waitFor();
    await context.close();
  });

  test("what was written survives a reload; keys send it; the job opens and works to its end", async () => {
    const { page, context, problems } = await dashboard.open(path(), { role: "editor" });
    const box = page.getByLabel("Instruction");
    await box.fill('set description to "Read first" in index');
    await page.reload();
    expect(await box.inputValue()).toBe('set description to "Read first" in index');
    await box.press("Control+Enter");
    await page.waitForURL(/\/jobs\/job_\w+$/);
    await page.getByText("Completed", { exact: true }).waitFor();
    await page
      .getByRole("link", { name: /^Pull request #\d+$/ })
      .first()
      .waitFor();
    await page.goto(dashboard.service.url + path());
    expect(await box.inputValue()).toBe("");
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a second click, and sending again after the answer was lost, make one job", async () => {
    const before = await countJobs();
    const { page, context } = await dashboard.open(path(), { role: "editor" });
    // The service makes the job, and its answer never arrives.
    let lost = 0;
    await page.route("**/v2/agent/*/job", async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      return route.abort("connectionreset");
    });
    await page.getByLabel("Instruction").fill("fix broken links");
    await page.getByRole("button", { name: "Start the job" }).click();
    await page.getByText("The service cannot be reached").waitFor();
    expect(await countJobs()).toBe(before + 1);
    await page.reload();
    await page.getByRole("button", { name: "Start the job" }).dblclick();
    await page.waitForURL(/\/jobs\/job_\w+$/);
    expect(await countJobs()).toBe(before + 1);

    // The same again is meant as another one.
    await page.goto(dashboard.service.url + path());
    await page.getByLabel("Instruction").fill("fix broken links");
    await page.getByRole("button", { name: "Start the job" }).click();
    await page.waitForURL(/\/jobs\/job_\w+$/);
    expect(await countJobs()).toBe(before + 2);
    await context.close();
  });

  test("too long an instruction is not sent, and it says by how much", async () => {
    const { page, context } = await dashboard.open(path(), { role: "editor" });
    const box = page.getByLabel("Instruction");
    await box.fill(`${"word ".repeat(19_999)}👩‍🚀👩‍🚀`);
    await page.getByText("This is 1 character too long.").waitFor({ timeout: 5_000 });
    expect(await page.getByRole("button", { name: "Start the job" }).isDisabled()).toBe(true);
    await box.fill("word ".repeat(19_000));
    await page.getByText("95,000 of 100,000 characters").waitFor();
    await context.close();
  });

  test("what the project does not allow is said in its words", async () => {
    const { page, context } = await dashboard.open(path(), { role: "editor" });
    await page.getByLabel("Instruction").fill("fix broken links");
    await page.route("**/v2/agent/*/job", (route) =>
      route.continue({ postData: JSON.stringify({ prompt: "fix broken links", ref: "nowhere" }) }),
    );
    await page.getByRole("button", { name: "Start the job" }).click();
    await page.getByText(/ref: a job of this project may start from main/).waitFor();
    await context.close();
  });

  test("options that the project allows are chosen and sent", async () => {
    const { projectId: id } = await dashboard.service.createProject({
      settings: { models: ["docent:offline"], allowedRefs: ["release/*"], pullRequests: { draft: true } },
    });
    const { page, context } = await dashboard.open(`/projects/${id}/jobs/new`, { role: "editor" });
    await page.getByRole("button", { name: "Options" }).click();
    await page.getByLabel("Open the pull request as a draft").click();
    await page.getByRole("combobox", { name: "Branch" }).fill("release/none");
    const sent = page.waitForRequest("**/v2/agent/*/job");
    await page.getByLabel("Instruction").fill("fix broken links");
    await page.getByRole("button", { name: "Start the job" }).click();
    expect((await sent).postDataJSON()).toEqual({ prompt: "fix broken links", draft: false, ref: "release/none" });
    await page.waitForURL(/\/jobs\/job_\w+$/);
    await page
      .getByRole("alert")
      .getByText(/release\/none/)
      .first()
      .waitFor();
    await context.close();
  });

  test("a viewer is told why not", async () => {
    const { page, context } = await dashboard.open(path(), { role: "viewer" });
    await page.getByText("Your role lets you read this project.").waitFor();
    expect(await page.getByLabel("Instruction").count()).toBe(0);
    await context.close();
  });

  async function countJobs(): Promise<number> {
    return (await docent.jobs.list(projectId, { limit: 100 })).jobs.length;
  }
});
