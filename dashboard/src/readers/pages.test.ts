import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, inspect, startDashboard, type TestDashboard } from "../testing/browser.ts";
import { addDays, utcDay } from "./range.ts";
import { AGENTS, sendVisits, type Visit } from "../testing/visits.ts";

const PAGES = 5_000;

describe.skipIf(!HAS_BROWSER)("5,000 pages with readers, in Chromium", () => {
  let dashboard: TestDashboard;
  let project: { projectId: string; key: string };

  beforeAll(async () => {
    dashboard = await startDashboard();
    project = await dashboard.service.createProject();
    const visits: Visit[] = Array.from({ length: PAGES }, (_, index) => ({ path: `/page-${index}`, visitorId: "ada" }));
    // The last ten have more readers the later they are, and one of them an agent.
    for (let page = PAGES - 10; page < PAGES; page += 1) {
      for (let more = 0; more < page - PAGES + 11; more += 1) {
        visits.push({ path: `/page-${page}`, visitorId: `reader-${more}` });
      }
    }
    visits.push({ path: "/page-77", ip: "192.0.2.1", userAgent: AGENTS.gptBot });
    await sendVisits(dashboard.service, project, visits);
  });
  afterAll(() => dashboard?.close());

  const pages = (page: Page) => page.getByRole("region", { name: "Visitors by page" });
  const paths = async (page: Page): Promise<string[]> => pages(page).locator("bdi").allInnerTexts();
  const first = (page: Page, path: string) =>
    pages(page).getByRole("row").nth(1).getByText(path, { exact: true }).waitFor();
  const open = (query = "") => dashboard.open(`/projects/${project.projectId}/readers${query}`);

  test("one page of them at a time, forwards and back", async () => {
    const { page, context, problems } = await open();
    await first(page, "/page-4999");
    expect(await paths(page)).toHaveLength(50);
    await pages(page).getByText("Rows 1 to 50").waitFor();
    await pages(page).getByRole("button", { name: "Next" }).click();
    await pages(page).getByText("Rows 51 to 100").waitFor();
    expect(new URL(page.url()).searchParams.get("pages-page")).toBe("2");
    await page.reload();
    await pages(page).getByText("Rows 51 to 100").waitFor();
    await pages(page).getByRole("button", { name: "Previous" }).click();
    await first(page, "/page-4999");
    await inspect({ page, context, problems }, "readers-5000-pages");
    await context.close();
  });

  test("the last page ends, and beyond it there is a way back", async () => {
    const { page, context } = await open(`?pages-page=${PAGES / 50}`);
    await pages(page).getByText("Rows 4,951 to 5,000").waitFor();
    expect(await pages(page).getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
    await page.goto(page.url().replace(/\d+$/, "9999"));
    await pages(page).getByText("There are no more rows.").waitFor();
    await pages(page).getByRole("button", { name: "First" }).click();
    await first(page, "/page-4999");
    await context.close();
  });

  test("ordered by each column, both ways, by the service", async () => {
    const { page, context } = await open();
    await first(page, "/page-4999");
    const order = async (name: string, sorted: "ascending" | "descending", path: string): Promise<void> => {
      await pages(page)
        .getByRole("button", { name: `Order by ${name}` })
        .click();
      await first(page, path);
      const header = pages(page).getByRole("columnheader", { name });
      expect(await header.getAttribute("aria-sort")).toBe(sorted);
    };
    await order("AI agents", "descending", "/page-77");
    await order("path", "ascending", "/page-0");
    await order("path", "descending", "/page-999");
    await order("people", "descending", "/page-4999");
    await order("people", "ascending", "/page-0");
    await context.close();
  });

  test("a search finds its pages, and the file holds all of them in the order that is shown", async () => {
    const { page, context } = await open();
    const search = page.getByRole("searchbox", { name: "Search in visitors by page" });
    await search.fill("PAGE-12");
    await first(page, "/page-12");
    expect((await paths(page)).every((path) => path.startsWith("/page-12"))).toBe(true);
    await pages(page).getByRole("button", { name: "Order by path" }).click();
    await first(page, "/page-12");
    await search.fill("page-4");
    await first(page, "/page-4");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download visitors by page as CSV" }).click(),
    ]);
    const today = utcDay(new Date());
    const days = `dateFrom=${addDays(today, -27)}&dateTo=${addDays(today, 1)}`;
    const answers: string[] = [];
    for (let offset = 0; offset < 1_250; offset += 250) {
      const query = `${days}&search=page-4&sort=path&limit=250&offset=${offset}`;
      const response = await fetch(`${dashboard.service.url}/v1/analytics/${project.projectId}/visitors?${query}`, {
        headers: { authorization: `Bearer ${project.key}`, accept: "text/csv" },
      });
      const text = await response.text();
      answers.push(offset === 0 ? text : text.slice(text.indexOf("\r\n") + 2));
    }
    expect(file.suggestedFilename()).toBe(`docent-visitors-${addDays(today, -27)}-before-${addDays(today, 1)}.csv`);
    const saved = await readFile(await file.path(), "utf8");
    expect(saved).toBe(answers.join(""));
    expect(saved.trimEnd().split("\r\n")).toHaveLength(1_112);
    await search.fill("nowhere");
    await pages(page).getByText("No path holds “nowhere”.").waitFor();
    await context.close();
  });

  test("while the next rows are on their way the ones before stay, and little stands in the page", async () => {
    const { page, context } = await open();
    await first(page, "/page-4999");
    const held = Promise.withResolvers<void>();
    await page.route("**/visitors?**offset=50**", async (route) => {
      await held.promise;
      await route.continue();
    });
    await pages(page).getByRole("button", { name: "Next" }).click();
    await pages(page).locator("[aria-busy=true]").waitFor();
    expect((await paths(page))[0]).toBe("/page-4999");
    held.resolve();
    await pages(page).getByText("Rows 51 to 100").waitFor();
    await pages(page).locator("[aria-busy=false]").waitFor();
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(3_000);
    await context.close();
  });
});
