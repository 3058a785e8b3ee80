import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSite, type TestSite } from "../../../../tracker/src/testing/site.ts";
import { HAS_BROWSER, inspect, inspectEverywhere, startDashboard, type TestDashboard } from "../../testing/browser.ts";
import { runCurl } from "../../testing/curl.ts";

/** By its own name, a headless browser is a bot. */
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";

const run = promisify(execFile);

describe.skipIf(!HAS_BROWSER)("setting up the count of readers, in Chromium", () => {
  let dashboard: TestDashboard;
  let site: TestSite;

  beforeAll(async () => {
    [dashboard, site] = await Promise.all([startDashboard(), startSite()]);
  });
  afterAll(() => Promise.all([dashboard?.close(), site?.close()]));

  async function createAddress(): Promise<string> {
    const { projectId } = await dashboard.service.createProject();
    return `/projects/${projectId}/readers`;
  }

  const code = (page: Page, label: string): Promise<string> => page.getByLabel(label, { exact: true }).innerText();

  test("the page of a project that nobody has read holds at every width, light and dark", async () => {
    const path = await createAddress();
    for (const tab of ["Tracker", "Middleware", "Logs", "curl"]) {
      await inspectEverywhere(dashboard, {
        path,
        name: `readers-set-up-${tab.toLowerCase()}`,
        async ready(page) {
          await page.getByRole("tab", { name: tab }).click();
          await page.getByText("Waiting for the first visit").waitFor();
        },
      });
    }
  });

  test("the tracker's line, on a site that was allowed here, brings the first visit", async () => {
    const { page, context, problems } = await dashboard.open(await createAddress());
    await page.getByLabel("The site's address").fill("ftp://nowhere");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("alert").waitFor();
    const docs = `http://docs.example.com:${site.port}`;
    await page.getByLabel("The site's address").fill(`${docs}/guides/start`);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText(docs, { exact: true }).waitFor();

    const html = new URLSearchParams({ html: await code(page, "The tracker's line") });
    const reader = await dashboard.browser.newContext({ userAgent: CHROME });
    const readersPage = await reader.newPage();
    await readersPage.goto(`${docs}/guides/start?${html.toString()}`);

    await page.getByText("Visits have arrived from the tracker").waitFor();
    // The refusal is in the console, as it should be.
    await inspect(
      { page, context, problems: problems.filter((problem) => !problem.includes("400")) },
      "readers-arrived",
    );
    await page.getByRole("button", { name: "See who reads" }).click();
    await page.getByText("AI agents are not seen yet").waitFor();
    await page.getByRole("rowheader", { name: "/guides/start" }).waitFor();
    await page.getByRole("link", { name: "Add the middleware or import logs" }).click();
    await page.getByText("For AI agents, add the middleware or import logs.").waitFor();
    await reader.close();
    await context.close();
  });

  test("the curl command counts as it stands there once a key was made", async () => {
    const { page, context } = await dashboard.open(await createAddress(), { role: "editor" });
    await page.getByRole("tab", { name: "curl" }).click();
    expect(await code(page, "A view, reported with curl")).toContain("Bearer $DOCENT_COLLECT_KEY");
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByText("Copy it now: it is not shown again.").waitFor();
    const command = await code(page, "A view, reported with curl");
    const answer = await runCurl(command);
    expect(JSON.parse(answer.body)).toEqual({ accepted: 1, rejected: [] });
    await page.getByText("Visits have arrived from the API").waitFor();
    await page.getByRole("button", { name: "To the report" }).click();
    await page.getByRole("rowheader", { name: "/start" }).waitFor();
    await context.close();
  });

  test("the logs' commands import the sample log as they stand there", async () => {
    const { page, context } = await dashboard.open(await createAddress());
    await page.getByRole("tab", { name: "Logs" }).click();
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByText("Copy it now: it is not shown again.").waitFor();
    const commands = (await code(page, "The import")).replace("/var/log/nginx/access.log", "examples/access.log.gz");
    await run("sh", ["-c", commands], { cwd: new URL("../../../../", import.meta.url) });
    await page.getByText("Visits have arrived from imported logs").waitFor();
    await page.getByText("AI agents are seen, too.").waitFor();
    await context.close();
  });

  test("the middleware is configured for this project", async () => {
    const path = await createAddress();
    const { page, context } = await dashboard.open(path);
    await page.getByRole("tab", { name: "Middleware" }).click();
    const shown = await code(page, "The middleware");
    expect(shown).toContain(`baseUrl: "${dashboard.service.url}"`);
    expect(shown).toContain(`projectId: "${path.split("/")[2]}"`);
    await context.close();
  });

  test("a viewer is told who can set it up", async () => {
    const { page, context, problems } = await dashboard.open(await createAddress(), { role: "viewer", width: 380 });
    await page.getByText("No site is allowed yet; editors and owners can allow one.").waitFor();
    expect(await page.getByRole("button", { name: "Allow" }).count()).toBe(0);
    await page.getByRole("tab", { name: "curl" }).click();
    await page.getByText("Editors and owners can make one").waitFor();
    expect(await page.getByRole("button", { name: "Make a key" }).count()).toBe(0);
    await inspect({ page, context, problems }, "readers-set-up-viewer");
    await context.close();
  });
});
