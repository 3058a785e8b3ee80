import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";

describe.skipIf(!HAS_BROWSER)("signing in, in Chromium", () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard?.close());

  test("the page holds at every width, light and dark", async () => {
    await inspectEverywhere(dashboard, {
      path: "/",
      name: "sign-in",
      role: null,
      ready: (page) => page.getByRole("heading", { name: "Sign in" }).waitFor(),
    });
  });

  test("a person signs in, is led to where they wanted, and signs out for good", async () => {
    const { page, context } = await dashboard.open("/projects?x=1", { role: null });
    await page.getByLabel("E-mail").fill("owner@example.com");
    await page.getByLabel(/^Password/).fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("E-mail and password do not fit.").waitFor();

    await page.getByLabel(/^Password/).fill(dashboard.credentials("owner").password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/projects?x=1");
    const cookies = await context.cookies();
    expect(cookies.map(({ name }) => name)).toContain("docent.session_token");
    for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });

    await page.getByRole("button", { name: "Account of Test owner" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    await page.goto(`${dashboard.service.url}/projects`);
    await page.waitForURL("**/sign-in?**");
    // The session itself has ended, not only the browser's memory of it.
    await context.addCookies(cookies);
    const answer = await context.request.get(`${dashboard.service.url}/v1/projects`);
    expect(answer.status()).toBe(401);
    await context.close();
  });
});
