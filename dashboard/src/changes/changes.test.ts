import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, inspect, inspectEverywhere, startDashboard, type TestDashboard } from "../testing/browser.ts";
import { createRepository, type Repository } from "../testing/pull-requests.ts";

/** 1 × 1. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const PAGE = `---
title: "Install"
description: How to install
---
import { Card } from "@site/card";

# Install Lantern

Lantern runs on Linux. Read the [guide](/guides/start) or [the site](https://example.com).

<Card title="Before you begin" icon="rocket">
  You need **Node 20** or later.
</Card>

| Variable | Default |
| -------- | ------- |
| \`PORT\` | 4000    |

1. Download it
2. Run it

![The window](/images/window.png)
`;
const section = (page: Page, path: string) => page.getByRole("region", { name: path, exact: true });

describe.skipIf(!HAS_BROWSER)("changes, in Chromium", () => {
  let dashboard: TestDashboard;
  let repository: Repository;
  let path = "";

  beforeAll(async () => {
    dashboard = await startDashboard();
    repository = await createRepository(dashboard.service);
    await repository.push("main", {
      "guides/install.mdx": PAGE,
      "guides/old.md": "# A page\n\nWith some words that stay as they are.\nAnd others.\n",
      "gone.md": "# Gone\n",
      "data.bin": Buffer.concat([Buffer.alloc(8), randomBytes(64)]),
      "images/window.png": PNG,
    });
    await repository.push("kinds", {
      "guides/install.mdx": PAGE.replace("runs on Linux", "runs on Linux and macOS").replace("Node 20", "Node 24"),
      "guides/old.md": null,
      "guides/new.md": "# A page\n\nWith some words that stay as they are.\nAnd others, too.\n",
      "gone.md": null,
      "data.bin": Buffer.concat([Buffer.alloc(8), randomBytes(64)]),
      "images/window.png": Buffer.concat([PNG, Buffer.from("x")]),
      "long/a-path-that-is-so-long-that-it-does-not-fit/into-one-line/of-a-small-screen/whatever-one-does.md": `${"x".repeat(3_000)}\n${"many words ".repeat(200)}\n`,
      "ar.md": "# دليل المستخدم\n\nمرحبا بكم في الوثائق.\n",
    });
    path = await repository.openPullRequest("kinds", { title: "Every kind of file" });
  });
  afterAll(async () => {
    await repository?.close();
    await dashboard?.close();
  });

  test("every kind of file holds at every width, light and dark", async () => {
    await inspectEverywhere(dashboard, {
      path,
      name: "changes",
      ready: async (page) => {
        await page.getByText("7 changed files").waitFor();
        await section(page, "images/window.png").getByRole("img").first().waitFor();
      },
    });

    const { page, context, problems } = await dashboard.open(path);
    const install = section(page, "guides/install.mdx");
    await install.waitFor();
    expect(await install.locator("mark").allTextContents()).toEqual(expect.arrayContaining(["20", "24"]));
    expect(await install.locator("tr").first().locator("td").count()).toBe(1);
    await section(page, "guides/new.md").getByText("guides/old.md → ").waitFor();
    await section(page, "data.bin").getByText("A binary file: its content is not shown here.").waitFor();
    await section(page, "gone.md").getByText("deleted").waitFor();

    // The layout is a choice that the browser remembers.
    await page.getByText("Unified", { exact: true }).click();
    await page.reload();
    await install.locator('table[data-layout="unified"]').waitFor();
    await page.getByText("Side by side").click();
    await install.locator('table[data-layout="split"]').waitFor();

    // By keyboard: a file folds and unfolds.
    const fold = section(page, "gone.md").getByRole("button", { name: "gone.md" });
    await fold.focus();
    await page.keyboard.press("Enter");
    expect(await fold.getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("Enter");
    expect(await fold.getAttribute("aria-expanded")).toBe("true");
    await page.getByRole("button", { name: "Fold all" }).click();
    expect(await page.locator("table").count()).toBe(0);
    await page.getByRole("button", { name: "Unfold all" }).click();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a page reads as it will, with what is new in it marked", async () => {
    for (const width of [380, 1440]) {
      for (const colorScheme of ["light", "dark"] as const) {
        const watched = await dashboard.open(path, { width, colorScheme });
        const install = section(watched.page, "guides/install.mdx");
        await install.getByRole("button", { name: "Preview" }).click();
        await install.getByRole("heading", { name: "Install Lantern" }).waitFor();
        await install.getByText("Before you begin").waitFor();
        await install.getByText("How to install").waitFor();
        const changed = install.locator('[class*="changed"]');
        expect((await changed.allTextContents()).map((text) => text.slice(0, 12))).toEqual([
          "Lantern runs",
          "You need Nod",
        ]);
        expect(
          await install.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
        ).toEqual(["https://example.com"]);
        await install.getByText("/images/window.png").waitFor();
        await inspect(watched, `changes-preview-${width}-${colorScheme}`);
        await watched.context.close();
      }
    }
  });
});
