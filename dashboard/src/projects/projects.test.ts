import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";
import { createLocalRepository } from "../testing/local-repository.ts";

const LONG = "Documentation of a product whose name goes on and on ".repeat(3) + "x".repeat(40);
const RTL = "توثيق المنتج";

describe.skipIf(!HAS_BROWSER)("projects, in Chromium", () => {
  let dashboard: TestDashboard;
  let repository: Awaited<ReturnType<typeof createLocalRepository>>;

  beforeAll(async () => {
    [dashboard, repository] = await Promise.all([startDashboard(), createLocalRepository()]);
  });
  afterAll(async () => {
    await dashboard?.close();
    await repository?.remove();
  });

  const choose = (page: Page, source: RegExp) => page.getByRole("radio", { name: source }).check();
  const create = (page: Page) => page.getByRole("button", { name: "Create the project" }).click();
  const projectPage = /\/projects\/prj_\w+$/;

  test("the list begins empty, and says who can change that", async () => {
    await inspectEverywhere(dashboard, {
      path: "/projects",
      name: "projects-empty",
      ready: (page) => page.getByText("There is no project yet").waitFor(),
    });
    const { page, context } = await dashboard.open("/projects", { role: "editor" });
    await page.getByText("An owner has to create one.").waitFor();
    expect(await page.getByRole("link", { name: "New project" }).count()).toBe(0);
    await page.goto(`${dashboard.service.url}/projects/new`);
    await page.getByText("Only owners create projects.").waitFor();
    const answer = await context.request.post(`${dashboard.service.url}/v1/projects`, {
      data: { name: "mine" },
      headers: { origin: dashboard.service.url },
    });
    expect(answer.status()).toBe(403);
    await context.close();
  });

  test("an empty project is two clicks and a name away", async () => {
    const { page, context, problems } = await dashboard.open("/projects");
    await page.getByRole("link", { name: "New project" }).click();
    await choose(page, /^Start empty/);
    await create(page);
    await page.getByText("Give it a name.").waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill(RTL);
    await create(page);
    await page.waitForURL(projectPage);
    expect(problems).toEqual([]);
    await page.goto(`${dashboard.service.url}/projects`);
    await page.getByRole("link", { name: RTL }).waitFor();
    await page.getByText("No job yet").waitFor();
    await context.close();
  });

  test("a repository on the server's disk is imported, and named after its folder", async () => {
    const { page, context } = await dashboard.open("/projects/new");
    await choose(page, /^Import from the server's disk/);
    await page.getByRole("textbox", { name: "Path on the server" }).fill(repository.path);
    await page.getByRole("textbox", { name: "Name" }).focus();
    await create(page);
    await page.waitForURL(projectPage);
    await page.getByText("The repository is being imported").waitFor({ state: "detached" });
    await page.goto(`${page.url()}/settings`);
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("manual");
    await expect
      .poll(() => page.getByRole("textbox", { name: "Base branch" }).inputValue(), { timeout: 10_000 })
      .toBe("trunk");
    await context.close();
  });

  test("what cannot be imported says why, in the form or on the project, and what to do", async () => {
    const { page, context } = await dashboard.open("/projects/new");
    await create(page);
    await page.getByText("Say which repository.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid"))).toBe("true");
    await page.keyboard.type("git@github.com:you/docs.git");
    expect(await page.getByRole("textbox", { name: "Git URL" }).inputValue()).toBe("git@github.com:you/docs.git");
    await page.getByRole("textbox", { name: "Name" }).focus();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("docs");
    await create(page);
    await page.getByRole("alert").getByText("SSH is not supported yet").waitFor();

    await choose(page, /^GitHub/);
    await page.getByRole("textbox", { name: "Repository" }).fill("you/docs");
    await create(page);
    await page.getByText("Docent cannot work there without it. Fill in the token.").waitFor();
    await page.getByRole("textbox", { name: "Address of the host" }).fill("http://127.0.0.1:9");
    await page.getByRole("textbox", { name: "Token" }).fill("wrong");
    await create(page);
    await page.getByRole("alert").getByText("127.0.0.1:9").waitFor();

    await choose(page, /^Import from the server's disk/);
    await page.getByRole("textbox", { name: "Path on the server" }).fill(repository.parent);
    await create(page);
    await page.waitForURL(projectPage);
    await page.getByRole("alert").getByText("is not a Git repository").waitFor();
    await page.getByRole("link", { name: "delete this one" }).click();
    await page.waitForURL("**/settings?section=danger");
    await context.close();
  });

  test("the list holds at every width, with long names, right-to-left names and imports that failed or go on", async () => {
    const { projectId } = await dashboard.service.createProject({ repository: repository.path });
    const { database } = dashboard.service.database;
    await database.updateTable("projects").set({ name: LONG }).where("id", "=", projectId).execute();
    // One that stays as it is while it is looked at.
    await dashboard.service.createProject();
    const [importing] = await database.selectFrom("projects").select("id").orderBy("id", "desc").limit(1).execute();
    await database
      .updateTable("builtin_repositories")
      .set({ state: "importing" })
      .where("name", "=", importing?.id ?? "")
      .execute();
    await inspectEverywhere(dashboard, {
      path: "/projects",
      name: "projects",
      async ready(page) {
        await page.getByText("import failed").waitFor();
        await page.getByText("importing", { exact: true }).waitFor();
      },
    });
    await inspectEverywhere(dashboard, {
      path: `/projects/${importing?.id}/keys`,
      name: "project-importing",
      ready: (page) => page.getByText("The repository is being imported").waitFor(),
    });
    // It goes on by itself.
    const { page, context } = await dashboard.open(`/projects/${importing?.id}/keys`);
    await page.getByText("The repository is being imported").waitFor();
    await database
      .updateTable("builtin_repositories")
      .set({ state: "ready" })
      .where("name", "=", importing?.id ?? "")
      .execute();
    await page.getByText("The repository is being imported").waitFor({ state: "detached" });
    await context.close();
  });

  test("many projects are searched", async () => {
    for (let index = 0; index < 6; index++) await dashboard.service.createProject();
    const { page, context } = await dashboard.open("/projects");
    await page.getByRole("searchbox", { name: "Search the projects" }).fill("المنتج");
    await page.getByRole("link", { name: "Docs" }).first().waitFor({ state: "detached" });
    await page.getByRole("link", { name: RTL }).waitFor();
    await context.close();
  });

  test("the form holds at every width for each source", async () => {
    for (const source of ["Import a Git repository", "GitHub", "Gitea or Forgejo", "Start empty"]) {
      await inspectEverywhere(dashboard, {
        path: "/projects/new",
        name: `project-new-${source.replaceAll(/\W+/g, "-").toLowerCase()}`,
        async ready(page) {
          await choose(page, new RegExp(`^${source}`));
          if (source === "GitHub") {
            await page.getByRole("combobox", { name: "Docent signs in with" }).selectOption("A GitHub App");
            await create(page);
            await page.getByText("Fill in the App.").waitFor();
          }
        },
      });
    }
  });
});
