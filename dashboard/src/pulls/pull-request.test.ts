import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, inspect, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";
import { createRepository, type Repository } from "../testing/pull-requests.ts";

const HOSTILE = [
  "<script>document.title = 'owned'</script>",
  '<img src="https://evil.test/x.png" onerror="document.title = \'owned\'">',
  "[press me](javascript:document.title='owned') and [me](data:text/html,<script>alert(1)</script>) and [inner](/v1/projects)",
  "![pixel](https://evil.test/pixel.png)",
  '<iframe src="https://evil.test"></iframe><style>body { display: none }</style>',
  `| ${Array.from({ length: 60 }, (_, index) => `column ${index}`).join(" | ")} |`,
  `| ${Array.from({ length: 60 }, () => "---").join(" | ")} |`,
  ...Array.from({ length: 30 }, () => `| ${Array.from({ length: 60 }, () => "cell").join(" | ")} |`),
]
  .join("\n\n")
  .replaceAll(/\|\n\n\|/g, "|\n|");

describe.skipIf(!HAS_BROWSER)("a pull request of the built-in host, in Chromium", () => {
  let dashboard: TestDashboard;
  let repository: Repository;

  beforeAll(async () => {
    dashboard = await startDashboard();
    repository = await createRepository(dashboard.service);
    await repository.push("main", {
      "index.mdx": "---\ntitle: Lantern\n---\n\n# Lantern\n\nLantern Hub is where it begins.\n",
      "guides/install.mdx": "---\ntitle: Install\n---\n\nInstall Lantern Hub.\n",
    });
  });
  afterAll(async () => {
    await repository?.close();
    await dashboard?.close();
  });

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const dialog = (page: Page) => page.getByRole("dialog");
  let branches = 0;
  /** A pull request that nobody has touched. */
  async function open(files: Record<string, string>, body = ""): Promise<{ path: string; branch: string }> {
    const branch = `change-${++branches}`;
    await repository.push(branch, files, "Change a page\n\nBecause it was wrong.");
    return { branch, path: await repository.openPullRequest(branch, { title: `Change ${branches}`, body }) };
  }

  test("what a job made is read, commented on, gone on with and merged", async () => {
    const { path, jobId } = await repository.runJob('replace "Lantern Hub" with "Lantern Cloud"');
    await inspectEverywhere(dashboard, {
      path,
      name: "pull-request",
      ready: async (page) => {
        await page.getByText("2 changed files").waitFor();
        await page.getByText("It merges into main without conflicts.").waitFor();
        await page.getByText("The checks found no new problem.").waitFor();
      },
    });

    const watched = await dashboard.open(path, { role: "editor" });
    const { page } = watched;
    expect(await page.getByRole("link", { name: "a job" }).getAttribute("href")).toBe(
      `/projects/${repository.projectId}/jobs/${jobId}`,
    );
    await page.getByText("1 commit", { exact: true }).waitFor();

    // A comment is a follow-up: the job's answer and its commit appear by themselves.
    await page.getByLabel("Comment", { exact: true }).fill('replace "Lantern Cloud" with "Lantern Sky"');
    await page.keyboard.press("Control+Enter");
    await page.getByText("2 commits", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "2 comments" }).waitFor();
    await page.locator("ins", { hasText: "Lantern Sky is where it begins." }).first().waitFor();
    expect(await page.getByLabel("Comment", { exact: true }).inputValue()).toBe("");
    const comments = page.getByRole("region", { name: "2 comments" }).getByRole("listitem");
    expect(await comments.first().textContent()).toContain("Test editor");
    expect(await comments.nth(1).textContent()).toContain("Docent");
    await inspect(watched, "pull-request-commented");

    await button(page, "Merge").click();
    await dialog(page).getByRole("button", { name: "Merge" }).click();
    await page.getByText("Merged", { exact: true }).waitFor();
    expect(await button(page, "Merge").count()).toBe(0);
    await page.getByText("2 changed files").waitFor();
    await inspect(watched, "pull-request-merged");
    await watched.context.close();
  }, 180_000);

  test("closing asks first; what is closed takes comments that nobody acts on", async () => {
    const { path } = await open({ "index.mdx": "closed\n" });
    const { page, context, problems } = await dashboard.open(path);
    await button(page, "Close").click();
    await inspect({ page, context, problems }, "pull-request-close-dialog");
    await dialog(page).getByRole("button", { name: "Cancel" }).first().click();
    await dialog(page).waitFor({ state: "hidden" });
    await button(page, "Close").click();
    await dialog(page).getByRole("button", { name: "Close", exact: true }).click();
    await page.getByText("Closed", { exact: true }).waitFor();
    await page.getByLabel("Comment", { exact: true }).fill("Too late");
    await button(page, "Comment").click();
    await page.getByText("The pull request is closed.").waitFor();
    await page.getByText("Too late").waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a conflict names the files and keeps it from being merged; a push that ends it shows by itself", async () => {
    const { path, branch } = await open({ "guides/conflict.mdx": "ours\n" });
    await repository.push("main", { "guides/conflict.mdx": "theirs\n" });
    const watched = await dashboard.open(path);
    const { page } = watched;
    await page.getByText("1 file in conflict with main.").waitFor();
    await page.getByRole("region", { name: "Checks" }).getByText("guides/conflict.mdx").waitFor();
    expect(await button(page, "Merge").isDisabled()).toBe(true);
    await inspect(watched, "pull-request-conflict");
    await repository.push(branch, { "guides/conflict.mdx": null, "guides/other.mdx": "ours\n" });
    await page.getByText("It merges into main without conflicts.").waitFor();
    await watched.context.close();
  });

  test("what the person did not see is not merged", async () => {
    const { path, branch } = await open({ "moved.mdx": "as it was seen\n" });
    const watched = await dashboard.open(path);
    const { page, problems } = watched;
    await button(page, "Merge").click();
    await repository.push(branch, { "moved.mdx": "what nobody saw\n" });
    await page.locator("ins", { hasText: "what nobody saw" }).waitFor();
    await dialog(page).getByRole("button", { name: "Merge" }).click();
    await dialog(page).getByText("changed since you looked").waitFor();
    expect(await dialog(page).getByRole("button", { name: "Merge" }).isDisabled()).toBe(true);
    await dialog(page).getByRole("button", { name: "Cancel" }).first().click();
    // Seen, it may be merged.
    await button(page, "Merge").click();
    await dialog(page).getByRole("button", { name: "Merge" }).click();
    await page.getByText("Merged", { exact: true }).waitFor();
    // The browser itself names every answer that is not a success.
    expect(problems.filter((problem) => !problem.includes("409"))).toEqual([]);
    await watched.context.close();
  });

  test("a viewer reads everything and is offered nothing", async () => {
    const { path } = await open({ "viewed.mdx": "read me\n" }, "A **summary**");
    await inspectEverywhere(dashboard, {
      path,
      name: "pull-request-viewer",
      role: "viewer",
      ready: async (page) => {
        await page.locator("strong", { hasText: "summary" }).waitFor();
        await page.locator("ins", { hasText: "read me" }).waitFor();
        await page.getByText("Editors of the project can merge and close it.").waitFor();
        for (const name of ["Merge", "Close", "Comment"]) expect(await button(page, name).count()).toBe(0);
        expect(await page.getByRole("textbox", { name: "Comment" }).count()).toBe(0);
      },
    });
  });

  test("hostile Markdown lies there", async () => {
    const { path } = await open(
      { "hostile.md": `${HOSTILE}\n`, "hostile.mdx": `<Card onClick={() => alert(1)}>\n\n${"> - ".repeat(14_000)}` },
      HOSTILE,
    );
    const requested: string[] = [];
    const watched = await dashboard.open(path);
    const { page, problems } = watched;
    page.on("request", (request) => requested.push(request.url()));
    await page.getByText("https://evil.test/pixel.png").first().waitFor();
    const page1 = page.getByRole("region", { name: "hostile.md", exact: true });
    await page1.getByRole("button", { name: "Preview" }).click();
    await page1.getByText("https://evil.test/pixel.png").waitFor();
    await page.getByText("press me").first().click();
    expect(
      await page.evaluate(() => document.querySelectorAll("main script, main iframe, main style, main img").length),
    ).toBe(0);
    const links = await page.locator("main a[href]").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links.filter((href) => !href?.startsWith("/"))).toEqual([]);
    await inspect(watched, "pull-request-hostile");

    // A text that takes for ever to parse is shown as it was written, and the page answers meanwhile.
    const page2 = page.getByRole("region", { name: "hostile.mdx", exact: true });
    await page2.getByRole("button", { name: "Preview" }).click();
    const started = performance.now();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(performance.now() - started).toBeLessThan(1_500);
    await page2.locator("pre", { hasText: "<Card onClick" }).waitFor();
    expect(await page.title()).toContain("Docent");
    expect(requested.filter((url) => url.includes("evil"))).toEqual([]);
    expect(problems).toEqual([]);
    await watched.context.close();
  });

  test("2,000 files stay responsive, and each is found", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `many/page-${index}.md`,
        Array.from({ length: 40 }, (_line, line) => `Line ${line} of page ${index}`).join("\n"),
      ]),
    );
    const { path } = await open(files);
    const watched = await dashboard.open(path);
    const { page, problems } = watched;
    await page.getByText("2,000 changed files").waitFor();
    const elements = () => page.evaluate(() => document.querySelectorAll("*").length);
    expect(await elements()).toBeLessThan(8_000);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
    await page
      .getByText(/^Line 3 of page \d+$/)
      .first()
      .waitFor();
    expect(await elements()).toBeLessThan(8_000);

    await page.getByRole("combobox", { name: "Jump to a file" }).fill("page-1777.");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const wanted = page.getByRole("region", { name: "many/page-1777.md", exact: true });
    await wanted.getByText("Line 7 of page 1777").waitFor();
    await expect
      .poll(async () => wanted.evaluate((element) => Math.round(element.getBoundingClientRect().top)))
      .toBeLessThan(200);

    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByText("Line 3 of page 0", { exact: true }).waitFor();
    const started = performance.now();
    await button(page, "Fold all").click();
    await page.getByRole("button", { name: "many/page-0.md" }).waitFor();
    expect(await page.locator("table").count()).toBe(0);
    // 0.2 s here; a busy machine has its time.
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(problems).toEqual([]);
    await watched.context.close();
  }, 120_000);

  test("the service goes away and comes back; what is read stays, and goes on by itself", async () => {
    const { path, branch } = await open({ "away.mdx": "before\n" });
    const { page, context } = await dashboard.open(path);
    await page.locator("ins", { hasText: "before" }).waitFor();
    await context.setOffline(true);
    await page.getByText("The service does not answer.").waitFor();
    await page.locator("ins", { hasText: "before" }).waitFor();
    await repository.push(branch, { "away.mdx": "after\n" });
    await context.setOffline(false);
    await page.locator("ins", { hasText: "after" }).waitFor();
    await page.getByText("The service does not answer.").waitFor({ state: "hidden" });
    await context.close();
  });

  test("what somebody else ends shows by itself, a long summary is cut, and right-to-left text runs so", async () => {
    const { path } = await open({ "ends.mdx": "ends\n" }, `مرحبا بكم\n\n${"A long instruction. ".repeat(5_000)}`);
    const watched = await dashboard.open(path, { width: 380 });
    const { page } = watched;
    await page.getByText("مرحبا بكم").waitFor();
    expect(
      await page
        .locator('[class*="markdown"]')
        .first()
        .evaluate((text) => getComputedStyle(text).direction),
    ).toBe("rtl");
    await button(page, "Show all 100,011 characters").waitFor();
    await inspect(watched, "pull-request-long-summary");
    await button(page, "Show all 100,011 characters").click();
    await repository.call("POST", `/v1${path.replace("/pull/", "/pulls/")}/close`);
    await page.getByText("Closed", { exact: true }).waitFor();
    expect(await button(page, "Merge").count()).toBe(0);
    await watched.context.close();
  });

  test("what is not there says so", async () => {
    for (const [number, text] of [
      ["999", "There is nothing here"],
      ["0", "There is no such page"],
      ["x", "There is no such page"],
    ] as const) {
      const { page, context } = await dashboard.open(`/projects/${repository.projectId}/pull/${number}`);
      await page.getByText(text).first().waitFor();
      await context.close();
    }
  });
});
