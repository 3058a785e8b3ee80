import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  HAS_BROWSER,
  inspect,
  inspectEverywhere,
  SCHEMES,
  startDashboard,
  WIDTHS,
  type TestDashboard,
} from "../testing/browser.ts";

const PASSWORD = "four words of a person";
const RTL = "آدا لوفلايس";

describe.skipIf(!HAS_BROWSER)("invitations, in Chromium", () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard?.close());

  async function makeLink(body: object, target = "/v1/invitations"): Promise<string> {
    const { url, adminToken } = dashboard.service;
    const response = await fetch(url + target, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    const made = (await response.json()) as { url: string };
    return made.url.slice(url.length);
  }

  async function whoIsSignedIn(context: BrowserContext): Promise<unknown> {
    const answer = await context.request.get(`${dashboard.service.url}/v1/session`);
    return ((await answer.json()) as { user: unknown }).user;
  }

  const fill = (page: Page, label: string, text: string) => page.getByRole("textbox", { name: label }).fill(text);

  test("somebody who is invited makes an account, is in, and the link is used up", async () => {
    const link = await makeLink({ role: "owner" });
    const { page, context, problems } = await dashboard.open(link, { role: null });
    await page.getByText("You are invited as owner.").waitFor();
    await fill(page, "Your name", RTL);
    await fill(page, "E-mail", "ada@example.com");
    await fill(page, "Password", "short");
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.getByText("Give it at least 12 characters.").waitFor();
    await fill(page, "Password", PASSWORD);
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.waitForURL("**/projects");
    await page.getByRole("button", { name: `Account of ${RTL}` }).waitFor();
    expect(page.url()).not.toContain("#");
    expect(problems).toEqual([]);

    await page.goto(dashboard.service.url + link);
    await page.reload();
    await page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
    await context.close();
  });

  test("a link for one address offers only that, also to somebody who is signed in as somebody else", async () => {
    const link = await makeLink({ role: "viewer", email: "grace@example.com" });
    const { page, context } = await dashboard.open(link, { role: "editor" });
    const email = page.getByRole("textbox", { name: "E-mail" });
    expect(await email.inputValue()).toBe("grace@example.com");
    expect(await email.isEditable()).toBe(false);
    await fill(page, "Your name", "Grace");
    await fill(page, "Password", PASSWORD);
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.getByRole("button", { name: "Account of Grace" }).waitFor();
    expect(await whoIsSignedIn(context)).toMatchObject({ email: "grace@example.com", role: "viewer" });
    await context.close();
  });

  test("a recovery link gives an account a new password, and its holder is in as owner", async () => {
    const link = await makeLink({ email: "editor@example.com" }, "/v1/invitations/recovery");
    const { page, context } = await dashboard.open(link, { role: null });
    await page.getByRole("heading", { name: "Set a new password" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Your name" }).count()).toBe(0);
    await fill(page, "Password", PASSWORD);
    await page.getByRole("button", { name: "Set the password and sign in" }).click();
    await page.getByRole("button", { name: "Account of Test editor" }).waitFor();
    expect(await whoIsSignedIn(context)).toMatchObject({ email: "editor@example.com", role: "owner" });
    await context.close();
  });

  test("an address that is taken is said so", async () => {
    const link = await makeLink({ role: "viewer" });
    const { page, context } = await dashboard.open(link, { role: null });
    await fill(page, "Your name", "Eve");
    await fill(page, "E-mail", "owner@example.com");
    await fill(page, "Password", PASSWORD);
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("textbox", { name: "Your name" }).inputValue()).toBe("Eve");
    await context.close();
  });

  test("the page holds at every width, light and dark", async () => {
    const link = await makeLink({
      role: "editor",
      email: `${"long".repeat(12)}@${"subdomain.".repeat(12)}example.com`,
    });
    await inspectEverywhere(dashboard, {
      path: link,
      name: "invitation",
      role: null,
      ready: (page) => page.getByRole("button", { name: "Make the account" }).waitFor(),
    });
    for (const width of WIDTHS) {
      for (const colorScheme of SCHEMES) {
        const watched = await dashboard.open(`/invitation#${"x".repeat(43)}`, { role: null, width, colorScheme });
        await watched.page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
        // The browser itself says so of each request that is refused.
        expect(watched.problems.splice(0)).toEqual([expect.stringContaining("404 (Not Found)")]);
        await inspect(watched, `invitation-gone-${width}-${colorScheme}`);
        await watched.context.close();
      }
    }
  });
});
