import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startTestProvider,
  type TestProvider,
} from "../../../server/src/access/oidc/testing/provider.ts";
import { findFreePort } from "../../../server/src/testing/free-port.ts";
import { HAS_BROWSER, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";

describe.skipIf(!HAS_BROWSER)("signing in at an OIDC provider, in Chromium", () => {
  let provider: TestProvider;
  let dashboard: TestDashboard;

  beforeAll(async () => {
    const port = await findFreePort();
    provider = await startTestProvider(`http://127.0.0.1:${port}/v1/sign-in/oidc/callback`);
    dashboard = await startDashboard({
      DOCENT_PORT: String(port),
      DOCENT_OIDC_ISSUER: provider.issuer,
      DOCENT_OIDC_CLIENT_ID: CLIENT_ID,
      DOCENT_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      DOCENT_OIDC_NAME: "Acme",
      DOCENT_OIDC_SCOPES: "profile email groups",
      DOCENT_OIDC_ROLES: "docs=editor",
    });
  });
  afterAll(async () => {
    await dashboard?.close();
    await provider?.close();
  });

  function is(sub: string, ...groups: string[]): void {
    provider.person.sub = sub;
    provider.person.claims = { name: sub, email: `${sub}@acme.example`, email_verified: true, groups };
  }

  test("a person goes there, comes back to where they wanted, and has no password to change", async () => {
    is("ada", "docs");
    const { page, context, problems } = await dashboard.open("/account", { role: null });
    await page.getByRole("link", { name: "Continue with Acme" }).click();
    await page.waitForURL("**/account");
    await page.getByText("ada@acme.example · editor.").waitFor();
    await page.getByText("You sign in at your organisation's provider").waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("whose groups count for nothing is told so, and a member's role follows theirs", async () => {
    is("eve", "others");
    const { page, context } = await dashboard.open("/", { role: null });
    await page.getByRole("link", { name: "Continue with Acme" }).click();
    await page.getByRole("alert").getByText("belongs to no group that may use Docent").waitFor();
    await context.close();
    const owner = await dashboard.open("/members");
    const role = owner.page.getByRole("combobox", { name: "Role of ada" });
    expect(await role.isDisabled()).toBe(true);
    await owner.page.getByText("role follows the groups at the provider").waitFor();
    await owner.context.close();
  });

  test("the page holds at every width, with both ways in and with what was refused", async () => {
    await inspectEverywhere(dashboard, {
      path: "/sign-in?refused=email_taken",
      name: "sign-in-oidc",
      role: null,
      ready: (page) => page.getByRole("link", { name: "Continue with Acme" }).waitFor(),
    });
  });
});
