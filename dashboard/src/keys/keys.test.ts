import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";
import { runCurl } from "../testing/curl.ts";

const LONG = "A key with a name that goes on and on, as names that a pipeline makes do: ".repeat(2) + "x".repeat(40);
const RTL = "مفتاح خط الإنتاج";

describe.skipIf(!HAS_BROWSER)("API keys, in Chromium", () => {
  let dashboard: TestDashboard;
  let projectId: string;
  let path: string;

  beforeAll(async () => {
    dashboard = await startDashboard();
    ({ projectId } = await dashboard.service.createProject());
    path = `/projects/${projectId}/keys`;
  });
  afterAll(() => dashboard?.close());

  const row = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });

  async function api(method: string, target: string, body?: object): Promise<Response> {
    const { url, adminToken } = dashboard.service;
    return await fetch(url + target, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function createKey(page: Page, name: string, scope: RegExp): Promise<{ key: string; request: string }> {
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("radio", { name: scope }).check();
    await page.getByRole("button", { name: "Create the key" }).click();
    const key = (await page.getByLabel("The key", { exact: true }).textContent()) ?? "";
    const request = (await page.getByLabel("A request with this key", { exact: true }).textContent()) ?? "";
    return { key, request };
  }

  test.each([
    [/^Write/, 201],
    [/^Admin/, 201],
    [/^Read/, 200],
    [/^Collect/, 202],
  ])("a key of the scope %s is shown once, and its example works as it stands", async (scope, status) => {
    const { page, context, problems } = await dashboard.open(path);
    const name = `Key ${scope.source}`;
    const { key, request } = await createKey(page, name, scope);
    expect(key).toMatch(/^docent_/);
    expect(await runCurl(request)).toMatchObject({ status });

    await page.getByRole("button", { name: "I have copied it" }).click();
    await row(page, name).waitFor();
    expect(await page.content()).not.toContain(key);
    // The list says so once it is read again.
    await page.reload();
    await row(page, name).getByText("last used").waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a key is limited to addresses and to a day, and is revoked", async () => {
    const { page, context } = await dashboard.open(path);
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Name it after where it is used.").waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("Limited");
    await page.getByLabel("Expires").selectOption("After a day of my choice");
    await page.getByLabel("Last day").fill("2037-05-04");
    const cidrs = page.getByRole("combobox", { name: "Only from these addresses" });
    await cidrs.fill("nonsense");
    await cidrs.press("Enter");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByRole("alert").getByText("cidrs").first().waitFor();
    await cidrs.press("Backspace");
    await cidrs.fill("203.0.113.0/24");
    await page.getByRole("button", { name: "Create the key" }).click();
    const key = await page.getByLabel("The key", { exact: true }).textContent();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "I have copied it" }).click();

    const limited = row(page, "Limited");
    await limited.getByText("only from 203.0.113.0/24").waitFor();
    const { keys } = (await (await api("GET", `/v1/projects/${projectId}/keys`)).json()) as {
      keys: { name: string; expiresAt: string }[];
    };
    const expiresAt = new Date(keys.find(({ name }) => name === "Limited")?.expiresAt ?? "");
    expect(expiresAt.getTime()).toBe(new Date("2037-05-05T00:00:00").getTime());

    const use = () =>
      fetch(`${dashboard.service.url}/v2/agent/${projectId}/jobs`, { headers: { authorization: `Bearer ${key}` } });
    expect((await use()).status).toBe(403);
    await limited.getByRole("button", { name: "Revoke the key Limited" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("The key Limited is revoked.").waitFor();
    await limited.waitFor({ state: "detached" });
    expect((await use()).status).toBe(401);
    await context.close();
  });

  test("why a key could not be revoked is not said of the next one", async () => {
    await api("POST", `/v1/projects/${projectId}/keys`, { name: "First" });
    await api("POST", `/v1/projects/${projectId}/keys`, { name: "Second" });
    const { page, context } = await dashboard.open(path);
    await page.route("**/keys/*", (route) => route.abort("connectionreset"));
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Revoke the key First" }).click();
    await dialog.getByRole("button", { name: "Revoke the key" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Revoke the key Second" }).click();
    await dialog.getByText("Second").waitFor();
    expect(await dialog.getByRole("alert").count()).toBe(0);
    await context.close();
  });

  test("a viewer is told who makes keys, has no button, and is refused by the service", async () => {
    const { page, context } = await dashboard.open(path, { role: "viewer" });
    await page.getByText("Editors and owners make and revoke keys.").waitFor();
    await page.getByRole("list", { name: "API keys" }).waitFor();
    expect(await page.getByRole("button", { name: /New key|Revoke/ }).count()).toBe(0);
    const answer = await context.request.post(`${dashboard.service.url}/v1/projects/${projectId}/keys`, {
      data: { name: "mine" },
      headers: { origin: dashboard.service.url },
    });
    expect(answer.status()).toBe(403);
    await context.close();
  });

  test("the page holds at every width, light and dark, with long names, right-to-left names and dialogs", async () => {
    const soon = new Date(Date.now() + 3 * 86_400_000).toISOString();
    await api("POST", `/v1/projects/${projectId}/keys`, { name: RTL, scope: "read", expiresAt: soon });
    await api("POST", `/v1/projects/${projectId}/keys`, { name: LONG.slice(0, 200), cidrs: ["2001:db8::/32", "::1"] });
    await dashboard.service.database.database
      .updateTable("api_keys")
      .set({ expires_at: new Date(Date.now() - 60_000) })
      .where("name", "=", "test")
      .execute();
    const list = (page: Page) => page.getByText("expires soon").waitFor();
    await inspectEverywhere(dashboard, { path, name: "keys", ready: list });
    await inspectEverywhere(dashboard, { path, name: "keys-viewer", role: "viewer", ready: list });
    await inspectEverywhere(dashboard, {
      path,
      name: "keys-new",
      async ready(page) {
        await page.getByRole("button", { name: "New key" }).click();
        await page.getByRole("radio", { name: /^Collect/ }).waitFor();
      },
    });
    await inspectEverywhere(dashboard, {
      path,
      name: "keys-made",
      ready: (page) => createKey(page, "Shown once", /^Write/),
    });
    const empty = await dashboard.service.createProject();
    await dashboard.service.database.database
      .deleteFrom("api_keys")
      .where("project_id", "=", empty.projectId)
      .execute();
    await inspectEverywhere(dashboard, {
      path: `/projects/${empty.projectId}/keys`,
      name: "keys-empty",
      ready: (page) => page.getByText("There is no key yet").waitFor(),
    });
  });
});
