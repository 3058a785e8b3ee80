import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSampleRepository } from "../../scripts/demo/sample.ts";
import { createEmptyTestDatabase, type TestDatabase } from "../../server/src/database/testing/postgres.ts";
import type { Child } from "../../server/src/testing/child.ts";
import { findFreePort } from "../../server/src/testing/free-port.ts";
import { endChild, startDocent } from "../../server/src/testing/service-process.ts";
import { launchBrowsers, type TestBrowsers } from "../../tracker/src/testing/browser.ts";
import { HAS_BROWSER } from "./testing/browser.ts";
import { runCurl } from "./testing/curl.ts";

const SAMPLE = join(import.meta.dirname, "../../examples/docs");
const PROMPT = "rename Lantern Hub to Lantern Relay";
const FOLLOW_UP = 'replace "the Hub" with "the Relay" in sdks/**';
const PASSWORD = "correct horse battery staple";
const DAY_MS = 86_400_000;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
const VISITS = [
  { path: "/quickstart", visitorId: "ada", userAgent: FIREFOX },
  { path: "/quickstart", visitorId: "claude", userAgent: "Claude-User/1.0" },
];

/** The day so many days ago, in UTC. */
const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

/** What a team does on its first day, from an empty data directory, in the browser alone. */
describe.skipIf(!HAS_BROWSER)("the first day with a service, in Chromium", () => {
  let directory: string;
  let database: TestDatabase;
  let browsers: TestBrowsers;
  let port: number;
  let url: string;
  let service: Child;
  let page: Page;
  let ownerUrl = "";
  let projectPath = "";
  let curl = "";
  const problems: string[] = [];

  async function startService(): Promise<Child> {
    return await startDocent(["serve", "--port", String(port), "--data", join(directory, "data")], {
      PATH: process.env["PATH"] ?? "",
      DATABASE_URL: database.url,
      DOCENT_LOG_LEVEL: "warn",
    });
  }

  function watch(watched: Page): void {
    watched.on("pageerror", (error) => problems.push(String(error)));
    watched.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
  }

  async function makeAccount(on: Page, link: string, name: string, email: string): Promise<void> {
    await on.goto(link);
    await on.getByLabel(/^Your name/).fill(name);
    await on.getByLabel(/^E-mail/).fill(email);
    await on.getByLabel(/^Password/).fill(PASSWORD);
    await on.getByRole("button", { name: "Make the account" }).click();
    await on.waitForURL(`${url}/projects`);
  }

  /** On the page of API keys; the key, whose dialog is still open until it is done. */
  async function createKey(name: string, scope: RegExp): Promise<string> {
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("radio", { name: scope }).check();
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByRole("button", { name: "Copy: A request with this key" }).click();
    curl = await page.evaluate(() => navigator.clipboard.readText());
    const key = (await page.getByLabel("The key", { exact: true }).textContent()) ?? "";
    await page.getByRole("button", { name: "I have copied it" }).click();
    return key;
  }

  const projectId = (): string => projectPath.split("/").at(-1) ?? "";

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "docent-story-"));
    browsers = await launchBrowsers();
    [database, port] = await Promise.all([createEmptyTestDatabase(), findFreePort()]);
    url = `http://127.0.0.1:${port}`;
    await makeSampleRepository(SAMPLE, join(directory, "sample"));
    service = await startService();
    const context = await browsers.person.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    page = await context.newPage();
    watch(page);
  });
  afterAll(async () => {
    if (service !== undefined) await endChild(service);
    await browsers?.close();
    await database?.close();
    await rm(directory, { recursive: true, force: true });
  });

  test("the first start prints a link that makes the owner's account, once", async () => {
    ownerUrl = /Make the owner's account: (\S+)/.exec(service.output())?.[1] ?? "";
    expect(ownerUrl).toMatch(new RegExp(`^${url}/invitation#`));
    await makeAccount(page, ownerUrl, "Ada Lindqvist", "ada@lantern.example");

    const other = await browsers.person.newPage();
    await other.goto(ownerUrl);
    await other.getByText(/used/).first().waitFor();
    await other.close();
  });

  test("a project is made from a repository on the server", async () => {
    await page.getByRole("link", { name: "New project" }).first().click();
    await page.getByRole("radio", { name: /server's disk/ }).check();
    await page.getByLabel(/^Path on the server/).fill(join(directory, "sample"));
    await page.getByLabel(/^Name/).fill("Lantern");
    await page.getByRole("button", { name: "Create the project" }).click();
    await page.waitForURL(`${url}/projects/prj_*`);
    projectPath = new URL(page.url()).pathname;
    await page.getByRole("heading", { level: 1, name: "Lantern" }).waitFor();
  });

  test("a key is made, and the curl beside it starts a job", async () => {
    await page.getByRole("link", { name: "API keys" }).first().click();
    await createKey("pipeline", /^Write/);
    const answer = await runCurl(curl.replace("fix broken links", PROMPT));
    expect(answer).toMatchObject({ status: 201 });
    expect(JSON.parse(answer.body)).toMatchObject({ title: PROMPT, author: { type: "key", name: "pipeline" } });
  });

  test("the job is watched to its pull request, followed up and merged", async () => {
    await page.getByRole("link", { name: "Jobs" }).first().click();
    await page.getByRole("link", { name: new RegExp(PROMPT) }).click();
    const main = page.getByRole("main");
    await main.getByText("Done", { exact: true }).waitFor();
    await main.getByRole("textbox", { name: "Follow-up" }).fill(FOLLOW_UP);
    await main.getByRole("button", { name: "Send" }).click();
    await main.getByText("Done", { exact: true }).nth(1).waitFor();

    await main
      .getByRole("link", { name: /#1|pull request/i })
      .first()
      .click();
    await page.waitForURL(`${url}${projectPath}/pull/1`);
    await main.getByText("Lantern Relay").first().waitFor();
    await main.getByRole("button", { name: "Merge", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: /merge/i }).click();
    await main.getByText("Merged", { exact: true }).first().waitFor();
  });

  test("visits that arrive are shown, and the file that is downloaded is the API's answer", async () => {
    await page.getByRole("link", { name: "API keys" }).first().click();
    const key = await createKey("docs site", /^Collect/);
    const collected = await runCurl(
      `curl ${url}/v1/collect/${projectId()} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(VISITS)}'`,
    );
    expect(collected).toMatchObject({ status: 202 });
    await page.getByRole("link", { name: "Readers" }).first().click();
    const main = page.getByRole("main");
    const row = main.getByRole("row", { name: "/quickstart" });
    await row.waitFor();
    expect(await row.getByRole("cell").allTextContents()).toEqual(["1", "1", "2"]);
    await main.getByText("Claude-User").waitFor();
    await main.locator(".recharts-area-curve").nth(1).waitFor();

    const download = page.waitForEvent("download");
    await main.getByRole("button", { name: "Download visitors by page as CSV" }).click();
    const file = await readFile(await (await download).path(), "utf8");
    const days = new URLSearchParams({ dateFrom: day(27), dateTo: day(-1) });
    const answer = await page.request.get(`${url}/v1/analytics/${projectId()}/visitors?${days.toString()}`, {
      headers: { accept: "text/csv" },
    });
    expect(file).toBe(await answer.text());
    expect(file).toContain("/quickstart,1,1,2");
  });

  test("a viewer is invited, reads everything and can make no key", async () => {
    await page.getByRole("link", { name: "Members" }).first().click();
    await page.getByRole("button", { name: /invite/i }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: /viewer/i }).check();
    await dialog.getByRole("button", { name: "Make the link" }).click();
    const link = (await dialog.getByLabel("The invitation's link", { exact: true }).textContent()) ?? "";
    await dialog.getByRole("button", { name: "I have copied it" }).click();
    const context = await browsers.person.newContext({ locale: "en-GB" });
    const viewer = await context.newPage();
    watch(viewer);
    await makeAccount(viewer, link, "Vera", "vera@lantern.example");
    await viewer.goto(`${url}${projectPath}/keys`);
    await viewer.getByText("Your role is viewer").waitFor();
    expect(await viewer.getByRole("button", { name: "New key" }).count()).toBe(0);
    const refused = await context.request.post(`${url}/v1/projects/${projectId()}/keys`, {
      data: { name: "mine" },
      headers: { origin: url },
    });
    expect(refused.status()).toBe(403);
    await context.close();
  });

  test("nothing was on the console all day", () => {
    expect(problems).toEqual([]);
  });

  test("the page goes on by itself after the service was away", async () => {
    await page.goto(`${url}${projectPath}/jobs`);
    const job = page.getByRole("main").getByRole("link", { name: /Lantern Relay/ });
    await job.waitFor();
    await endChild(service);
    await page.getByText("The service does not answer.").waitFor();
    service = await startService();
    await page.getByText("The service does not answer.").waitFor({ state: "detached" });
    await job.waitFor();
    expect(service.output()).not.toContain("Make the owner's account");
  });

  test("signing out ends the session", async () => {
    const cookies = await page.context().cookies();
    await page.getByRole("button", { name: "Account of Ada Lindqvist" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(`${url}/sign-in`);
    await page.context().addCookies(cookies);
    expect((await page.request.get(`${url}/v1/projects`)).status()).toBe(401);
  });
});
