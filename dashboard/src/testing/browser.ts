import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { createPeople } from "../../../server/src/access/people.ts";
import type { Role } from "../../../server/src/database/schema.ts";
import { startTestService, type TestService } from "../../../server/src/testing/service.ts";
import { launchBrowsers } from "../../../tracker/src/testing/browser.ts";

export { HAS_BROWSER } from "../../../tracker/src/testing/browser.ts";

const ROOT = join(import.meta.dirname, "../..");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PASSWORD = "a password of the tests";
export const WIDTHS = [380, 1440] as const;
export const SCHEMES = ["light", "dark"] as const;

export interface OpenOptions {
  /** The browser signs in as somebody with this role; null: as nobody. */
  role?: Role | null;
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
}

/** A page that remembers what it complained about. */
export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** Errors on the console, and scripts that threw. */
  problems: string[];
}

export interface TestDashboard {
  service: TestService;
  browser: Browser;
  /** Opens a path in a browser of its own. */
  open(path: string, options?: OpenOptions): Promise<WatchedPage>;
  /** The e-mail address and password of the person with this role. */
  credentials(role: Role): { email: string; password: string };
  close(): Promise<void>;
}

/** A service with the built dashboard, a person of each role, and a browser. */
export async function startDashboard(
  environment: Record<string, string> = {},
  options: { clock?: () => Date } = {},
): Promise<TestDashboard> {
  const dashboard = process.env["DASHBOARD_DIST"] ?? join(ROOT, "dist");
  // One after the other: what is made while browsers start lies in their temporary directory, and goes with it.
  const browsers = await launchBrowsers();
  const service = await startTestService(environment, { ...options, dashboard });
  const { database } = service.database;
  const people = createPeople({
    database,
    secret: "of no use: only passwords are made with it",
    publicUrl: service.url,
    clock: () => new Date(),
    log: { warn: () => {} },
  });
  // One sign-in a role, as far as it lasts: the service limits how often a person may.
  const sessions = new Map<Role, Cookies>();
  const credentials = (role: Role) => ({ email: `${role}@example.com`, password: PASSWORD });
  for (const role of ["viewer", "editor", "owner"] as const) {
    await people.create({ name: `Test ${role}`, role, ...credentials(role) });
  }

  return {
    service,
    browser: browsers.person,
    credentials,
    async open(path, { role = "owner", width = 1440, height = 900, colorScheme = "light" } = {}) {
      const viewport = { width, height };
      // Nothing is looked at while it still fades in.
      const context = await browsers.person.newContext({
        viewport,
        colorScheme,
        locale: "en-GB",
        reducedMotion: "reduce",
      });
      if (role !== null) {
        await context.addCookies(sessions.get(role) ?? []);
        await signIn(context, service.url, credentials(role));
        sessions.set(role, await context.cookies());
      }
      const page = await context.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
      });
      await page.goto(service.url + path);
      return { page, context, problems };
    },
    async close() {
      await browsers.close();
      await service.close();
    },
  };
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

async function signIn(context: BrowserContext, url: string, data: { email: string; password: string }): Promise<void> {
  const current = (await (await context.request.get(`${url}/v1/session`)).json()) as { user: object | null };
  if (current.user !== null) return;
  const answer = await context.request.post(`${url}/v1/session`, { data, headers: { origin: url } });
  if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}: ${await answer.text()}`);
}

/**
 * Demands what every page must be: no serious barrier that axe finds, nothing on the console, no scrolling sideways.
 * Keeps a screenshot of the whole page as `dashboard/screenshots/{name}.png`.
 */
export async function inspect(
  { page, problems }: WatchedPage,
  name: string,
  { isLive = false }: { isLive?: boolean } = {},
): Promise<void> {
  // A page that listens to a stream has an open request for as long as it is open.
  if (!isLive) await page.waitForLoadState("networkidle");
  const directory = process.env["DASHBOARD_SCREENSHOTS"] ?? join(ROOT, "screenshots");
  await mkdir(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true });

  const { scroll, client } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
  }));
  expect(scroll, `${name} scrolls sideways`).toBeLessThanOrEqual(client);

  // Evaluated rather than added as a script: the page's own policy would refuse that, as it should.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const results = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return axe.run({ resultTypes: ["violations"] });
  });
  const violations = results.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
    );
  expect(violations, name).toEqual([]);
  expect(problems, `${name}: console`).toEqual([]);
}

/**
 * Opens a page at each width, and inspects it light and dark once `ready` has seen what it waits for. The colours change
 * under the open page, as they do in the evening: opening it once more for them would take twice the time.
 */
export async function inspectEverywhere(
  dashboard: TestDashboard,
  {
    path,
    name,
    role = "owner",
    isLive = false,
    ready,
  }: { path: string; name: string; role?: Role | null; isLive?: boolean; ready(page: Page): Promise<unknown> },
): Promise<void> {
  for (const width of WIDTHS) {
    const watched = await dashboard.open(path, { role, width });
    await ready(watched.page);
    for (const colorScheme of SCHEMES) {
      await watched.page.emulateMedia({ colorScheme });
      await watched.page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      await inspect(watched, `${name}-${width}-${colorScheme}`, { isLive });
    }
    await watched.context.close();
  }
}
