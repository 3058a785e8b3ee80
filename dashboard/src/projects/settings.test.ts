import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReceiver, type Receiver } from "../../../server/src/webhooks/testing/receiver.ts";
import {
  HAS_BROWSER,
  inspect,
  inspectEverywhere,
  SCHEMES,
  startDashboard,
  WIDTHS,
  type TestDashboard,
} from "../testing/browser.ts";

const SECTIONS = [
  "general",
  "documentation",
  "model",
  "pull-requests",
  "readers",
  "webhooks",
  "code-host",
  "danger",
] as const;
const RTL = "استعمل نبرة ودية. ".repeat(60);

describe.skipIf(!HAS_BROWSER)("a project's settings, in Chromium", () => {
  let dashboard: TestDashboard;
  let receiver: Receiver;

  beforeAll(async () => {
    [dashboard, receiver] = await Promise.all([startDashboard({ DOCENT_WEBHOOKS_PRIVATE: "allow" }), startReceiver()]);
  });
  afterAll(async () => {
    await dashboard?.close();
    await receiver?.close();
  });

  const settingsPath = (projectId: string, section = "general") => `/projects/${projectId}/settings?section=${section}`;

  async function api<Answer>(method: string, target: string, body?: object): Promise<Answer> {
    const { url, adminToken } = dashboard.service;
    const response = await fetch(url + target, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Answer;
  }

  const read = (projectId: string) =>
    api<{ name: string; settings: Record<string, unknown> }>("GET", `/v1/projects/${projectId}`);

  async function addTag(page: Page, label: string, ...tags: string[]): Promise<void> {
    const field = page.getByRole("combobox", { name: label });
    for (const tag of tags) {
      await field.fill(tag);
      await field.press("Enter");
    }
  }

  const go = (page: Page, section: string) =>
    page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: section }).click();

  test("changes of several sections are saved at once, only they, and what somebody else saved meanwhile stays", async () => {
    const { projectId } = await dashboard.service.createProject({
      settings: { docsPath: "old", model: "docent:offline", analytics: { retentionDays: 90 } },
    });
    const { page, context, problems } = await dashboard.open(settingsPath(projectId));
    await page.getByRole("textbox", { name: "Name" }).fill("Renamed");
    await go(page, "Documentation");
    await page.getByRole("textbox", { name: "Instructions for the agent" }).fill(RTL);
    await page.getByRole("button", { name: "Add a repository" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("api");
    await page.getByRole("textbox", { name: "Git URL" }).fill("https://example.com/api.git");
    await go(page, "Pull requests");
    await page.getByRole("switch", { name: "Open as drafts" }).click();
    await addTag(page, "Labels", "docs", "by docent");
    await go(page, "Model");
    await page.getByRole("textbox", { name: "Model", exact: true }).fill("");
    await go(page, "Readers");
    await addTag(page, "Sites that may report views", "https://docs.example.com");
    await page.getByRole("group", { name: "Sources that count for people" }).getByLabel("Tracker").check();

    // Meanwhile, somebody else.
    await api("PATCH", `/v1/projects/${projectId}`, {
      settings: { ...(await read(projectId)).settings, archiveOnMerge: true, analytics: { retentionDays: 30 } },
    });
    await page.getByText("Not saved yet: General, Documentation, Model, Pull requests, Readers").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect(await read(projectId)).toMatchObject({
      name: "Renamed",
      settings: {
        docsPath: "old",
        archiveOnMerge: true,
        instructions: RTL.trim(),
        contextRepositories: [{ name: "api", url: "https://example.com/api.git" }],
        pullRequests: { draft: true, labels: ["docs", "by docent"] },
        analytics: { retentionDays: 30, origins: ["https://docs.example.com"], peopleSources: ["tracker"] },
      },
    });
    expect(Object.keys((await read(projectId)).settings)).not.toContain("model");
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });

    // What is set back to what holds anyway is not stored.
    await go(page, "Pull requests");
    await page.getByRole("switch", { name: "Open as drafts" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    expect((await read(projectId)).settings["pullRequests"]).toEqual({ labels: ["docs", "by docent"] });
    expect(problems).toEqual([]);
    await context.close();
  });

  test("only what changed is sent", async () => {
    const { projectId } = await dashboard.service.createProject({ settings: { docsPath: "docs" } });
    const { page, context } = await dashboard.open(settingsPath(projectId));
    const sent: unknown[] = [];
    page.on("request", (request: Request) => {
      if (request.method() === "PATCH") sent.push(request.postDataJSON());
    });
    await page.getByRole("textbox", { name: "Name" }).fill("Only the name");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect(sent).toEqual([{ name: "Only the name" }]);
    await context.close();
  });

  test("a refusal stands at its field, also from another section, and nothing is lost", async () => {
    const { projectId } = await dashboard.service.createProject();
    const { page, context } = await dashboard.open(settingsPath(projectId, "documentation"));
    const folder = page.getByRole("textbox", { name: "Documentation folder" });
    await folder.fill("../elsewhere");
    await go(page, "Model");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("give a folder inside the repository").waitFor();
    await page.getByRole("link", { name: "Go to Documentation" }).click();
    await page.locator("#settings-section-content").getByText("give a folder inside the repository").waitFor();
    expect(await folder.inputValue()).toBe("../elsewhere");
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await folder.inputValue()).toBe("");
    await context.close();
  });

  test("leaving with unsaved changes asks first: by a link, by Back, by closing", async () => {
    const { projectId } = await dashboard.service.createProject();
    const { page, context } = await dashboard.open(`/projects/${projectId}/keys`);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Unsaved");
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });

    await page.getByRole("link", { name: "API keys" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Unsaved");

    await page.evaluate(() => history.back());
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(page.url()).toContain("/settings");

    const asked = page.waitForEvent("dialog").then((browsers) => browsers.dismiss());
    await page.close({ runBeforeUnload: true });
    await asked;
    await page.getByRole("link", { name: "API keys" }).click();
    await dialog.getByRole("button", { name: "Leave" }).click();
    await page.waitForURL("**/keys");
    await context.close();
  });

  test("providers' keys and the signing key are stored and removed; signing needs its key", async () => {
    const { projectId } = await dashboard.service.createProject();
    const { page, context, problems } = await dashboard.open(settingsPath(projectId, "model"));
    await page.getByRole("button", { name: "Add the key of Anthropic" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Key" }).fill("sk-secret");
    await page.getByRole("button", { name: "Save the key", exact: true }).click();
    await page.getByRole("listitem").filter({ hasText: "Anthropic" }).getByText("stored").waitFor();
    expect(await page.content()).not.toContain("sk-secret");
    await page.getByRole("button", { name: "Remove the key of Anthropic" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the key" }).click();
    await page.getByRole("button", { name: "Add the key of Anthropic" }).waitFor();

    await go(page, "Pull requests");
    await page.getByRole("button", { name: "Make a signing key" }).click();
    const shown = await page.getByLabel("The public key", { exact: true }).textContent();
    expect(shown).toMatch(/^ssh-ed25519 /);
    await page.getByRole("switch", { name: "Sign commits" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect((await read(projectId)).settings["commits"]).toEqual({ sign: true });
    await page.getByRole("button", { name: "Replace the key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
    await expect
      .poll(() => page.getByLabel("The public key", { exact: true }).textContent(), { timeout: 10_000 })
      .not.toBe(shown);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("the webhook's secret is shown once, deliveries are listed, and one is sent again", async () => {
    const { projectId, key } = await dashboard.service.createProject();
    const { page, context } = await dashboard.open(settingsPath(projectId, "webhooks"));
    await page.getByRole("textbox", { name: "URL" }).fill(receiver.url);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("button", { name: "Make a new secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make a new secret" }).click();
    expect(await page.getByLabel("The webhook secret", { exact: true }).textContent()).toMatch(/^whsec_/);

    await fetch(`${dashboard.service.url}/v2/agent/${projectId}/job`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ prompt: "fix broken links" }),
    });
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(1);
    const before = receiver.received.length;
    await page.reload();
    await page.getByRole("button", { name: /^Send again: job\.completed/ }).click();
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(before);
    expect(await page.getByLabel("The webhook secret", { exact: true }).count()).toBe(0);
    await inspectEverywhere(dashboard, {
      path: settingsPath(projectId, "webhooks"),
      name: "settings-webhooks-deliveries",
      ready: (ready) => ready.getByRole("list", { name: "Deliveries" }).waitFor(),
    });
    await context.close();
  });

  test("readers are counted anew, one is erased, and the project is deleted by typing its name", async () => {
    const { projectId, key } = await dashboard.service.createProject();
    const collect = await fetch(`${dashboard.service.url}/v1/collect/${projectId}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://docs.example.com/start", visitorId: "somebody" }),
    });
    expect(collect.status).toBe(202);
    const { page, context, problems } = await dashboard.open(settingsPath(projectId, "danger"));
    await page.getByRole("button", { name: "Count anew" }).click();
    await page.getByText("Everything was counted anew.").waitFor();
    await page.getByRole("textbox", { name: "Visitor id" }).fill("somebody");
    await page.getByRole("button", { name: "Erase the visitor" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Erase" }).click();
    await page.getByText("Nothing is stored of this visitor any more.").waitFor();
    const { totals } = (await (
      await fetch(`${dashboard.service.url}/v1/analytics/${projectId}/visitors`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).json()) as { totals: { total: number } };
    expect(totals.total).toBe(0);

    await page.getByRole("button", { name: "Delete the project" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete this project?" });
    const confirm = dialog.getByRole("button", { name: "Delete the project" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole("textbox", { name: "Name of the project" }).fill("Docs");
    await confirm.click();
    await page.waitForURL("**/projects");
    await page.getByRole("heading", { name: "Projects" }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a viewer reads everything and changes nothing; an editor deletes no project", async () => {
    const { projectId } = await dashboard.service.createProject({ settings: { instructions: RTL } });
    const viewer = await dashboard.open(settingsPath(projectId, "documentation"), { role: "viewer" });
    await viewer.page.getByText("Your role is viewer: you can read them.").waitFor();
    expect(await viewer.page.getByRole("textbox", { name: "Documentation folder" }).isDisabled()).toBe(true);
    expect(await viewer.page.getByRole("button", { name: "Add a repository" }).isDisabled()).toBe(true);
    const patch = await viewer.context.request.patch(`${dashboard.service.url}/v1/projects/${projectId}`, {
      data: { name: "mine" },
      headers: { origin: dashboard.service.url },
    });
    expect(patch.status()).toBe(403);
    await viewer.context.close();

    const editor = await dashboard.open(settingsPath(projectId, "danger"), { role: "editor" });
    await editor.page.getByText("Only owners delete projects.").waitFor();
    const answer = await editor.context.request.delete(`${dashboard.service.url}/v1/projects/${projectId}`, {
      headers: { origin: dashboard.service.url },
    });
    expect(answer.status()).toBe(403);
    await editor.context.close();
  });

  test("a project on another code host gets a webhook; a credential that does not work is refused", async () => {
    const { projectId } = await dashboard.service.createProject();
    const { database } = dashboard.service.database;
    const elsewhere = { code_host: "github", code_host_url: "http://127.0.0.1:9", repository: "you/docs" } as const;
    await database.updateTable("projects").set(elsewhere).where("id", "=", projectId).execute();
    const { page, context } = await dashboard.open(settingsPath(projectId, "code-host"));
    await page.getByText("The project has none of its own for GitHub").waitFor();
    await page.getByRole("textbox", { name: "Token" }).fill("wrong");
    await page.getByRole("button", { name: "Check and store" }).click();
    await page.getByRole("alert").getByText("127.0.0.1:9").waitFor();
    await page.getByRole("button", { name: "Make address and secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make a secret" }).click();
    const address = await page.getByLabel("The webhook's address", { exact: true }).textContent();
    expect(address).toContain(projectId);
    expect(await page.getByLabel("The code host's secret", { exact: true }).textContent()).not.toBe("");
    await context.close();
    await inspectEverywhere(dashboard, {
      path: settingsPath(projectId, "code-host"),
      name: "settings-code-host-github",
      ready: (ready) => ready.getByText("The project has none of its own for GitHub").waitFor(),
    });
  });

  test.each(SECTIONS)("the section %s holds at every width, light and dark", async (section) => {
    const { projectId } = await dashboard.service.createProject({
      settings: {
        instructions: RTL,
        allow: ["examples/**/*.{json,yaml}", `${"a/".repeat(60)}**`],
        contextRepositories: [{ name: "api", url: `https://example.com/${"long/".repeat(30)}api.git` }],
        analytics: { saltRotation: "daily", origins: ["https://docs.example.com"] },
      },
    });
    await inspectEverywhere(dashboard, {
      path: settingsPath(projectId, section),
      name: `settings-${section}`,
      ready: (page) => page.locator("#settings-section").waitFor(),
    });
  });

  test("unsaved changes and what a viewer sees hold at every width", async () => {
    const { projectId } = await dashboard.service.createProject();
    for (const width of WIDTHS) {
      for (const colorScheme of SCHEMES) {
        const watched = await dashboard.open(settingsPath(projectId, "documentation"), { width, colorScheme });
        const { page, problems, context } = watched;
        await page.getByRole("textbox", { name: "Documentation folder" }).fill("../elsewhere");
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByRole("alert").waitFor();
        // The browser itself says so of each request that is refused.
        expect(problems.splice(0)).toEqual([expect.stringContaining("400 (Bad Request)")]);
        await inspect(watched, `settings-refused-${width}-${colorScheme}`);
        await context.close();
      }
    }
    await inspectEverywhere(dashboard, {
      path: settingsPath(projectId, "pull-requests"),
      name: "settings-viewer",
      role: "viewer",
      ready: (page) => page.getByText("Your role is viewer").waitFor(),
    });
  });
});
