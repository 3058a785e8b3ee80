import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  HAS_BROWSER,
  inspect,
  inspectEverywhere,
  SCHEMES,
  startDashboard,
  WIDTHS,
  type TestDashboard,
} from "../testing/browser.ts";

const LONG = "Somebody with a name that goes on and on ".repeat(4);
const RTL = "آدا لوفلايس";
const PASSWORD = "four words of a person";

describe.skipIf(!HAS_BROWSER)("people, in Chromium", () => {
  let dashboard: TestDashboard;

  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard?.close());

  async function invite(page: Page, role: RegExp, email = ""): Promise<string> {
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByRole("radio", { name: role }).check();
    await page.getByRole("textbox", { name: "E-mail" }).fill(email);
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = await page.getByLabel("The invitation's link", { exact: true }).textContent();
    await page.getByRole("button", { name: "I have copied it" }).click();
    return link ?? "";
  }

  async function join(link: string, name: string, email: string) {
    const { page, context } = await dashboard.open(link.slice(dashboard.service.url.length), { role: null });
    await page.getByRole("textbox", { name: "Your name" }).fill(name);
    await page.getByRole("textbox", { name: "E-mail" }).fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.waitForURL("**/projects");
    return { page, context };
  }

  const row = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });

  test("an owner invites somebody, changes what they may do, and removes them, at once", async () => {
    const { page, context, problems } = await dashboard.open("/members");
    const link = await invite(page, /^Viewer/);
    await row(page, "Whoever has the link").waitFor();
    expect(await page.content()).not.toContain(link);

    const joined = await join(link, RTL, "ada@example.com");
    expect(await joined.page.getByRole("link", { name: "Members" }).count()).toBe(0);
    await page.reload();
    await page.getByRole("combobox", { name: `Role of ${RTL}` }).selectOption("Editor");
    await page.getByText(`${RTL} is editor now.`).waitFor();
    await joined.page.goto(`${dashboard.service.url}/account`);
    await joined.page.getByText("ada@example.com · editor.").waitFor();

    await page.getByRole("button", { name: `Remove ${RTL}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await row(page, "ada@example.com").waitFor({ state: "detached" });
    await joined.page.getByRole("link", { name: "Projects" }).first().click();
    await joined.page.reload();
    await joined.page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(problems).toEqual([]);
    await joined.context.close();
    await context.close();
  });

  test("an invitation is revoked, and its link is dead", async () => {
    const { page, context } = await dashboard.open("/members");
    const link = await invite(page, /^Owner/, "grace@example.com");
    await page.getByRole("button", { name: "Revoke the invitation of grace@example.com" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await row(page, "grace@example.com").waitFor({ state: "detached" });
    await page.goto(link);
    await page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
    await context.close();
  });

  test("the last owner cannot step down, and is told so", async () => {
    const { page, context } = await dashboard.open("/members");
    await page.getByRole("combobox", { name: "Role of Test owner" }).selectOption("Viewer");
    await page
      .getByRole("dialog", { name: "Change your own role?" })
      .getByRole("button", { name: "Change my role" })
      .click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("combobox", { name: "Role of Test owner" }).inputValue()).toBe("owner");
    await context.close();
  });

  test("others are told that members and the audit log are the owners'", async () => {
    const { page, context } = await dashboard.open("/members", { role: "editor" });
    await page.getByText("Only owners see who may sign in.").waitFor();
    await page.goto(`${dashboard.service.url}/audit-log`);
    await page.getByText("Only owners see it.").waitFor();
    for (const path of ["/v1/members", "/v1/invitations", "/v1/audit-log"]) {
      expect((await context.request.get(dashboard.service.url + path)).status()).toBe(403);
    }
    await context.close();
  });

  test("a person changes name and password, sees where they are signed in, and signs out everywhere", async () => {
    const owner = await dashboard.open("/members");
    const link = await invite(owner.page, /^Editor/);
    await owner.context.close();
    const { page, context } = await join(link, "Alan", "alan@example.com");
    const elsewhere = await dashboard.open("/sign-in", { role: null });
    const signIn = async (password: string): Promise<void> => {
      await elsewhere.page.getByLabel("E-mail").fill("alan@example.com");
      await elsewhere.page.getByLabel(/^Password/).fill(password);
      await elsewhere.page.getByRole("button", { name: "Sign in" }).click();
    };
    await signIn(PASSWORD);
    await elsewhere.page.waitForURL("**/projects");

    await page.goto(`${dashboard.service.url}/account`);
    await page.getByRole("textbox", { name: "What others see" }).fill("Alan T.");
    await page.getByRole("button", { name: "Save the name" }).click();
    await page.getByRole("button", { name: "Account of Alan T." }).waitFor();
    await expect.poll(() => page.getByRole("list", { name: "Sessions" }).getByRole("listitem").count()).toBe(2);
    await page.getByRole("button", { name: /^Sign out Chrome/ }).click();
    await expect.poll(() => page.getByRole("list", { name: "Sessions" }).getByRole("listitem").count()).toBe(1);
    await elsewhere.page.reload();
    await elsewhere.page.getByRole("heading", { name: "Sign in" }).waitFor();

    await page.getByRole("textbox", { name: "Current password" }).fill("not this one at all");
    await page.getByRole("textbox", { name: "New password" }).fill("a quite different password");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByText("The password is changed.").waitFor();
    await signIn("a quite different password");
    await elsewhere.page.waitForURL("**/projects");

    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await elsewhere.page.reload();
    await elsewhere.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await elsewhere.context.close();
    await context.close();
  });

  test("the audit log tells all that in sentences, page by page and by project", async () => {
    const { projectId } = await dashboard.service.createProject();
    for (let index = 0; index < 60; index++) {
      await fetch(`${dashboard.service.url}/v1/projects/${projectId}`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${dashboard.service.adminToken}`, "content-type": "application/json" },
        body: JSON.stringify({ name: `Docs ${index}` }),
      });
    }
    const { page, context, problems } = await dashboard.open("/audit-log");
    const entries = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
    await expect.poll(() => entries.count()).toBe(50);
    await page.getByRole("button", { name: "Show older entries" }).click();
    await page.getByText(`${RTL} joined as viewer (ada@example.com)`).waitFor();
    await page.getByText("Test owner made ada@example.com, who was viewer, editor").waitFor();
    await page.getByText("Test owner removed the member ada@example.com").waitFor();
    await page.getByText("Test owner revoked the invitation of grace@example.com").waitFor();
    await page.getByRole("combobox", { name: "Project" }).selectOption("Docs 59");
    await page.getByRole("button", { name: "Show older entries" }).click();
    await page.getByText("created the project Docs").waitFor();
    expect(await page.getByText("ada@example.com").count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  describe("at every width, light and dark", () => {
    beforeEach(async () => {
      await dashboard.service.database.pool.query("update users set name = $1 where email = 'viewer@example.com'", [
        LONG,
      ]);
    });

    test("members, invitations and their dialogs", async () => {
      const { page, context } = await dashboard.open("/members");
      await invite(page, /^Viewer/, `${"long".repeat(12)}@${"subdomain.".repeat(12)}example.com`);
      await context.close();
      for (const width of WIDTHS) {
        for (const colorScheme of SCHEMES) {
          const watched = await dashboard.open("/members", { width, colorScheme });
          await row(watched.page, "subdomain").waitFor();
          await inspect(watched, `members-${width}-${colorScheme}`);
          await watched.page.getByRole("button", { name: "Invite somebody" }).click();
          await inspect(watched, `members-invite-${width}-${colorScheme}`);
          await watched.page.getByRole("button", { name: "Make the link" }).click();
          await watched.page.getByRole("button", { name: "I have copied it" }).waitFor();
          await inspect(watched, `members-invited-${width}-${colorScheme}`);
          await watched.page.getByRole("button", { name: "I have copied it" }).click();
          await watched.page.getByRole("button", { name: /^Remove Somebody/ }).click();
          await inspect(watched, `members-remove-${width}-${colorScheme}`);
          await watched.context.close();
        }
      }
    });

    test("the account", async () => {
      await inspectEverywhere(dashboard, {
        path: "/account",
        name: "account",
        role: "viewer",
        ready: (page) => page.getByText("this one").waitFor(),
      });
    });

    test("the audit log", async () => {
      await inspectEverywhere(dashboard, {
        path: "/audit-log",
        name: "audit-log",
        ready: (page) => page.getByRole("list", { name: "Audit log" }).waitFor(),
      });
    });
  });
});
