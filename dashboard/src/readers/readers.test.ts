import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, inspect, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";
import { addDays, utcDay } from "./range.ts";
import { AGENTS, sendVisits, type Visit } from "../testing/visits.ts";

const TODAY = utcDay(new Date());
const day = (ago: number): string => addDays(TODAY, -ago);
const LONG = `/${"a-very-long-name-of-a-page/".repeat(12)}end`;
const ARABIC = "/الدليل/البدء السريع";

/** Of the last 28 days 3 people and 3 agents, who are 6 visitors; of the 28 before, 2 people. */
const VISITS: readonly Visit[] = [
  { path: "/guides/start", visitorId: "ada", day: day(0) },
  { path: "/guides/start", visitorId: "ada", day: day(3) },
  { path: "/guides/start", visitorId: "bob", day: day(3) },
  { path: "/", visitorId: "eve", day: day(9) },
  { path: LONG, visitorId: "eve", day: day(9) },
  { path: ARABIC, visitorId: "eve", day: day(9) },
  { path: "/guides/start", ip: "192.0.2.1", userAgent: AGENTS.gptBot, day: day(2) },
  { path: "/guides/start", ip: "192.0.2.2", userAgent: AGENTS.chatGpt, day: day(2) },
  { path: "/llms.txt", ip: "192.0.2.3", userAgent: AGENTS.claudeBot, day: day(1) },
  { path: "/guides/start", ip: "192.0.2.9", userAgent: AGENTS.bingBot, day: day(1) },
  { path: "/guides/missing", visitorId: "bob", status: 404, day: day(1) },
  { path: "/", visitorId: "ada", day: day(30) },
  { path: "/", visitorId: "bob", day: day(40) },
];

describe.skipIf(!HAS_BROWSER)("the page of readers, in Chromium", () => {
  let dashboard: TestDashboard;
  let project: { projectId: string; key: string };

  beforeAll(async () => {
    dashboard = await startDashboard();
    project = await dashboard.service.createProject();
    await sendVisits(dashboard.service, project, VISITS);
  });
  afterAll(() => dashboard?.close());

  const address = (query = ""): string => `/projects/${project.projectId}/readers${query}`;
  const group = async (page: Page, name: string): Promise<string> =>
    (await page.getByRole("group", { name, exact: true }).innerText()).replaceAll(/\s+/g, " ");
  const people = (page: Page, hasText: RegExp): Promise<void> =>
    page.getByRole("group", { name: "People", exact: true }).filter({ hasText }).waitFor();
  const table = (page: Page, section: string) => page.getByRole("region", { name: section }).getByRole("row");
  const cells = async (page: Page, section: string): Promise<string[]> =>
    (await table(page, section).allInnerTexts()).map((row) => row.replaceAll(/\s+/g, " ").trim());

  /** A report as the API itself gives it to a key. */
  async function ask(report: string, accept = "text/csv"): Promise<string> {
    const response = await fetch(`${dashboard.service.url}/v1/analytics/${project.projectId}/${report}`, {
      headers: { authorization: `Bearer ${project.key}`, accept },
    });
    return response.text();
  }

  async function download(page: Page, what: string): Promise<string> {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: `Download ${what} as CSV` }).click(),
    ]);
    return readFile(await file.path(), "utf8");
  }

  test("the report holds at every width, light and dark, with names of any length and direction", async () => {
    await inspectEverywhere(dashboard, {
      path: address(),
      name: "readers",
      ready: (page) => page.locator(".recharts-area-curve").nth(1).waitFor(),
    });
  });

  test("totals, and what has changed since as many days before", async () => {
    const { page, context } = await dashboard.open(address());
    await page.getByText("Changes are against").waitFor();
    await page.getByRole("group", { name: "People", exact: true }).getByText("+50%").waitFor();
    expect(await group(page, "People")).toBe("People 3 visitors +50% 6 views +200%");
    expect(await group(page, "AI agents")).toBe("AI agents 3 visitors none before 3 views none before");
    expect(await group(page, "All readers")).toBe("All readers 6 visitors +200% 9 views +350%");
    await context.close();
  });

  test("the table of days has every day of the range, those without visits with zeros", async () => {
    const { page, context } = await dashboard.open(address());
    await page
      .getByRole("img", { name: "Chart of the visitors of 28 days, people and AI agents; at most 2" })
      .waitFor();
    await page.getByText("Table", { exact: true }).click();
    const rows = await cells(page, "Visitors by day");
    expect(rows).toHaveLength(29);
    const counts = rows.slice(1).map((row) => row.split(" ").slice(-3).join(" "));
    expect(counts.slice(0, 5)).toEqual(["1 0 1", "0 1 1", "0 2 2", "2 0 2", "0 0 0"]);
    expect(counts[9]).toBe("1 0 1");
    await inspect({ page, context, problems: [] }, "readers-table-of-days");

    await page.getByText("Views", { exact: true }).first().click();
    await page.getByRole("heading", { name: "Views by day" }).waitFor();
    expect((await cells(page, "Views by day"))[10]).toMatch(/ 3 0 3$/);
    expect(new URL(page.url()).search).toBe("?metric=views");
    await context.close();
  });

  test("another range goes into the address, and comes out of it again", async () => {
    const { page, context } = await dashboard.open(address());
    await page.getByRole("button", { name: "Last 28 days" }).click();
    await page.getByRole("button", { name: "All time" }).click();
    await people(page, /8\s*views/);
    expect(new URL(page.url()).search).toBe("?range=all");
    await page.getByText("A visitor counts once, however often they come.").waitFor();

    // The list of ranges fades away; its own button for this range is no longer meant.
    await page.getByRole("button", { name: "All time", expanded: false }).click();
    await page.getByLabel("First day").fill(day(40));
    await page.getByLabel("Last day").fill(day(41));
    await page.getByRole("button", { name: "Show these days" }).click();
    await page.getByText("The first day is after the last one.").waitFor();
    await inspect({ page, context, problems: [] }, "readers-range");
    await page.getByLabel("Last day").fill(day(30));
    await page.keyboard.press("Enter");
    await people(page, /2\s*visitors/);
    expect(new URL(page.url()).search).toBe(`?from=${day(40)}&to=${day(30)}`);
    await page.reload();
    await people(page, /2\s*visitors/);
    await context.close();
  });

  test("agents by operator and by purpose, other bots, missing pages", async () => {
    const { page, context } = await dashboard.open(address());
    await page.getByText("GPTBot", { exact: true }).waitFor();
    expect(await cells(page, "AI agents")).toEqual([
      "Agent Visitors Views",
      "OpenAI 2",
      "ChatGPT-User Assistant 1 1",
      "GPTBot Training 1 1",
      "Anthropic 1",
      "ClaudeBot Training 1 1",
    ]);
    await page.getByText("Purpose", { exact: true }).click();
    expect(await cells(page, "AI agents")).toEqual([
      "Agent Visitors Views",
      "Training: read for a model 2",
      "ClaudeBot Anthropic 1 1",
      "GPTBot OpenAI 1 1",
      "Assistants: read for a person who asks 1",
      "ChatGPT-User OpenAI 1 1",
    ]);
    expect(await cells(page, "Other bots")).toEqual(["Bot Visitors Views", "bingbot 1 1"]);
    expect((await cells(page, "Missing pages")).slice(1)).toEqual(["/guides/missing 1 0 1"]);
    await page.getByText("Based on what the API sent on these days.").waitFor();
    await context.close();
  });

  test("each report can be saved, and is what the service answers, byte for byte", async () => {
    const { page, context } = await dashboard.open(address("?pages-search=GUIDES&pages-sort=path"), { role: "viewer" });
    await page.getByRole("rowheader", { name: "/guides/start" }).waitFor();
    const days = `dateFrom=${day(27)}&dateTo=${day(-1)}`;
    expect(await download(page, "visitors by page")).toBe(await ask(`visitors?${days}&search=guides&sort=path`));
    expect(await download(page, "missing pages")).toBe(await ask(`not-found?${days}`));
    expect(await download(page, "the days")).toBe(await ask(`timeseries?${days}`));
    expect(await download(page, "AI agents")).toBe(await ask(`agents?${days}`));
    expect(await download(page, "other bots")).toBe(await ask(`bots?${days}`));
    await context.close();
  });

  test("whoever is not signed in sees nothing, and a viewer sees all of it", async () => {
    const nobody = await dashboard.open(address(), { role: null });
    await nobody.page.waitForURL("**/sign-in?**");
    await nobody.context.close();
    const { page, context, problems } = await dashboard.open(address(), { role: "viewer", width: 380 });
    await page.getByRole("heading", { name: "Visitors by page" }).waitFor();
    await inspect({ page, context, problems }, "readers-viewer");
    await context.close();
  });

  test("while the service is away the figures stay, and newer ones come by themselves once it is back", async () => {
    const own = await dashboard.service.createProject();
    await sendVisits(dashboard.service, own, [{ path: "/", visitorId: "ada" }]);
    const { page, context } = await dashboard.open(`/projects/${own.projectId}/readers`);
    await people(page, /1\s*visitor/);
    await context.setOffline(true);
    await page.getByRole("button", { name: "Download the days as CSV" }).click();
    await page.getByText("The service does not answer. Trying again …").waitFor();
    await page.getByText("The report could not be downloaded").waitFor();
    await people(page, /1\s*visitor/);
    await sendVisits(dashboard.service, own, [{ path: "/", visitorId: "bob" }]);
    await context.setOffline(false);
    await people(page, /2\s*visitors/);
    expect(await page.getByText("The service does not answer.").count()).toBe(0);
    await context.close();
  });

  test("a part of the page that was on its way when the service went away comes once it is back", async () => {
    const { page, context } = await dashboard.open("/projects");
    let isAway = true;
    const noticed = page.getByText("The service does not answer. Trying again …").waitFor();
    await page.route("**/bots?*", async (route) => {
      const response = await route.fetch();
      await noticed;
      await route.fulfill({ response });
    });
    await page.route("**/assets/days-chart-*.js", async (route) => {
      if (!isAway) return await route.continue();
      await context.setOffline(true);
      return await route.abort("internetdisconnected");
    });
    await page.goto(dashboard.service.url + address());
    await noticed;
    await page.getByText("bingbot").waitFor();
    await people(page, /3\s*visitors/);
    isAway = false;
    await context.setOffline(false);
    await page.locator(".recharts-area-curve").nth(1).waitFor();
    await context.close();
  });

  test("an AI definition, retention and chosen sources are said", async () => {
    const own = await dashboard.service.createProject({
      settings: { analytics: { ai: "assistants", peopleSources: ["tracker"], retentionDays: 10 } },
    });
    await sendVisits(dashboard.service, own, [{ path: "/", ip: "192.0.2.3", userAgent: AGENTS.chatGpt }]);
    const { page, context } = await dashboard.open(`/projects/${own.projectId}/readers`);
    await page.getByText("People are counted by the tracker alone.").waitFor();
    await page.getByText("Of AI agents, only assistants and readers of Markdown count.").waitFor();
    await context.close();
  });
});
