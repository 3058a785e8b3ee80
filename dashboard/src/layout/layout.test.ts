import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, inspect, SCHEMES, startDashboard, WIDTHS, type TestDashboard } from "../testing/browser.ts";
import { watchJavaScript } from "../testing/javascript.ts";

/** What the first page may fetch of JavaScript, compressed. */
const JAVASCRIPT_BYTES_MAX = 200_000;
const LONG = "A documentation project whose name goes on and on ".repeat(3);

describe.skipIf(!HAS_BROWSER)("the frame of the pages, in Chromium", () => {
  let dashboard: TestDashboard;
  let projectId: string;
  let other: string;

  beforeAll(async () => {
    dashboard = await startDashboard();
    ({ projectId } = await dashboard.service.createProject());
    ({ projectId: other } = await dashboard.service.createProject());
    const { database } = dashboard.service.database;
    await database.updateTable("projects").set({ name: LONG }).where("id", "=", other).execute();
  });
  afterAll(() => dashboard?.close());

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");
  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

  test.each([
    ["the sign-in", "/sign-in", null, "Sign in"],
    ["the list of projects", "/projects", "owner", "Projects"],
    ["an overview", "/projects/:id", "owner", ""],
  ] as const)("%s fetches less JavaScript than it may", async (name, path, role, title) => {
    const { page, context } = await dashboard.open("/healthz", { role });
    const size = watchJavaScript(page);
    await page.goto(dashboard.service.url + path.replace(":id", projectId));
    await (title === "" ? page.getByRole("heading", { level: 1 }).waitFor() : heading(page, title));
    await page.waitForLoadState("networkidle");
    const bytes = await size();
    console.info(`${name}: ${(bytes / 1000).toFixed(1)} kB of JavaScript, compressed by gzip`);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(JAVASCRIPT_BYTES_MAX);
    await context.close();
  });

  test("with the keyboard alone: the skip link, the navigation, and the heading of each page that is opened", async () => {
    const { page, context } = await dashboard.open(`/projects/${projectId}/keys`);
    await heading(page, "API keys");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
    await page.getByRole("link", { name: "Settings", exact: true }).focus();
    await page.keyboard.press("Enter");
    await heading(page, "Settings");
    expect(await focused(page)).toBe("Settings");
    expect(await page.title()).toBe("Settings · Docent");
    await page.goBack();
    await heading(page, "API keys");
    await expect.poll(() => focused(page)).toBe("API keys");
    await context.close();
  });

  test("breadcrumbs lead up, and the switcher to the same page of another project", async () => {
    const { page, context } = await dashboard.open(`/projects/${projectId}/keys`);
    await page.getByRole("button", { name: /Other projects/ }).click();
    await page.getByRole("menuitem", { name: LONG.trim() }).click();
    await page.waitForURL(`**/projects/${other}/keys`);
    const crumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
    await crumbs.getByRole("link", { name: LONG.trim() }).click();
    await page.waitForURL(`**/projects/${other}`);
    await crumbs.getByRole("link", { name: "Projects" }).click();
    await heading(page, "Projects");
    await context.close();
  });

  test("on a small screen the navigation opens by its button, and closes when a page is chosen", async () => {
    const { page, context } = await dashboard.open(`/projects/${projectId}/keys`, { width: 380 });
    await heading(page, "API keys");
    const settings = page.getByRole("link", { name: "Settings", exact: true });
    expect(await settings.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Open the navigation" }).click();
    await settings.click();
    await heading(page, "Settings");
    await settings.waitFor({ state: "hidden" });
    await context.close();
  });

  test("menus and the open navigation hold at every width, light and dark", async () => {
    for (const width of WIDTHS) {
      for (const colorScheme of SCHEMES) {
        const watched = await dashboard.open(`/projects/${other}/keys`, { width, colorScheme });
        const { page, context } = watched;
        await heading(page, "API keys");
        await page.getByRole("button", { name: /^Account of/ }).click();
        await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
        await inspect(watched, `menu-account-${width}-${colorScheme}`);
        await page.keyboard.press("Escape");
        if (width === 380) await page.getByRole("button", { name: "Open the navigation" }).click();
        await page.getByRole("button", { name: /Other projects/ }).click();
        await page.getByRole("menuitem", { name: "Docs" }).waitFor();
        await inspect(watched, `menu-projects-${width}-${colorScheme}`);
        await context.close();
      }
    }
  });

  test("an address that leads nowhere says so, with a way out", async () => {
    for (const colorScheme of SCHEMES) {
      const watched = await dashboard.open(`/projects/${projectId}/nothing`, { colorScheme });
      await watched.page.getByRole("heading", { name: "There is no such page" }).waitFor();
      await inspect(watched, `not-found-${colorScheme}`);
      await watched.page.getByRole("link", { name: "the projects", exact: true }).click();
      await watched.page.getByRole("heading", { name: "Projects" }).waitFor();
      await watched.context.close();
    }
  });

  test("the colours that were chosen are kept, and are there before any module has run", async () => {
    const { page, context } = await dashboard.open("/projects", { colorScheme: "light" });
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    expect(dark).toBe("rgb(22, 24, 29)");
    await page.route(/\/assets\/index-.*\.js$/, (route) => route.abort());
    await page.reload();
    expect(await page.locator("#root").innerHTML()).toBe("");
    expect(await background()).toBe(dark);
    await context.close();
  });

  test("a session that has ended leads to the sign-in and back to the same page", async () => {
    const { page, context } = await dashboard.open(`/projects/${projectId}/settings?section=readers`, {
      role: "editor",
    });
    await heading(page, "Settings");
    await dashboard.service.database.pool.query("delete from sessions");
    await page.getByRole("link", { name: "API keys" }).click();
    await heading(page, "Sign in");
    const { email, password } = dashboard.credentials("editor");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel(/^Password/).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await heading(page, "API keys");
    expect(new URL(page.url()).pathname).toBe(`/projects/${projectId}/keys`);
    await context.close();
  });
});
