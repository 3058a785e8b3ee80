import { describe, expect, it } from "vitest";
import { openDocs } from "./docs.ts";
import type { PageMove } from "./move-page.ts";
import type { Refusal } from "../refusal.ts";
import { applyChanges, createMemoryTree, filesOf, textAt, type MemoryFiles } from "./memory-tree.test-helper.ts";

const BOM = "\uFEFF";

function mintlify(): MemoryFiles {
  return filesOf({
    "docs.json": `${BOM}{\r\n\t"navigation": {\r\n\t\t"groups": [{ "group": "A", "pages": ["index",  "guides/install" , "guides/use"] }]\r\n\t}\r\n}`,
    "index.mdx": `${BOM}# Home\r\n\r\n[a](/guides/install#install) [b](<guides/install>) *[c](./guides/install.mdx?q=1#install)*\r\n\r\n<Card href='/guides/install/' />\r\n[d]: /guides/install "t"\r\n`,
    "guides/install.mdx":
      "# Install\n\n[use](./use) [home](../index) [abs](/guides/use) ![p](../images/p.png) [self](#install)\n",
    "guides/use.mdx": "[i](install) [i](./install)\n`[i](./install)`",
    "images/p.png": "png",
  });
}

async function move(files: MemoryFiles, from: string, to: string): Promise<{ plan: PageMove; after: MemoryFiles }> {
  const plan = await (await openDocs(createMemoryTree(files))).movePage(from, to);
  if ("refused" in plan) throw new Error(plan.refused);
  return { plan, after: applyChanges(files, plan.changes) };
}

function refusal(answer: PageMove | Refusal): string {
  return "refused" in answer ? answer.refused : "";
}

describe("moving a Mintlify page", () => {
  it("rewrites the characters of links, navigation and redirects, and no others", async () => {
    const { plan, after } = await move(mintlify(), "guides/install.mdx", "setup/first/install.mdx");
    expect(textAt(after, "index.mdx")).toBe(
      `${BOM}# Home\r\n\r\n[a](/setup/first/install#install) [b](<setup/first/install>) *[c](./setup/first/install.mdx?q=1#install)*\r\n\r\n<Card href='/setup/first/install/' />\r\n[d]: /setup/first/install "t"\r\n`,
    );
    expect(textAt(after, "guides/use.mdx")).toBe(
      "[i](../setup/first/install) [i](../setup/first/install)\n`[i](./install)`",
    );
    expect(textAt(after, "setup/first/install.mdx")).toBe(
      "# Install\n\n[use](../../guides/use) [home](../../index) [abs](/guides/use) ![p](../../images/p.png) [self](#install)\n",
    );
    expect(after.has("guides/install.mdx")).toBe(false);
    expect(textAt(after, "docs.json")).toBe(
      `${BOM}{\r\n\t"navigation": {\r\n\t\t"groups": [{ "group": "A", "pages": ["index",  "setup/first/install" , "guides/use"] }]\r\n\t},\r\n\t"redirects": [\r\n\t\t{\r\n\t\t\t"source": "/guides/install",\r\n\t\t\t"destination": "/setup/first/install"\r\n\t\t}\r\n\t]\r\n}`,
    );
    expect(plan).toMatchObject({
      navigationEntries: 1,
      redirect: { path: "docs.json", source: "/guides/install", destination: "/setup/first/install" },
      linksRewritten: [
        { path: "guides/use.mdx", count: 2 },
        { path: "index.mdx", count: 5 },
        { path: "setup/first/install.mdx", count: 3 },
      ],
    });
  });

  it("leaves nothing broken, there and back again, and no redirect that hides a page", async () => {
    const there = await move(mintlify(), "guides/install.mdx", "setup/install.mdx");
    expect(await (await openDocs(createMemoryTree(there.after))).check()).toEqual([]);
    const back = await move(there.after, "setup/install.mdx", "guides/install.mdx");
    expect(await (await openDocs(createMemoryTree(back.after))).check()).toEqual([]);
    expect(textAt(back.after, "docs.json")).toContain(`"source": "/setup/install"`);
    expect(textAt(back.after, "docs.json")).not.toContain(`"source": "/guides/install"`);
  });

  it("moves an image and what shows it", async () => {
    const { plan, after } = await move(mintlify(), "images/p.png", "images/new/p (1).png");
    expect(textAt(after, "guides/install.mdx")).toContain("![p](../images/new/p%20%281%29.png)");
    expect(plan.redirect).toBeNull();
  });

  it("keeps a page's suffix when the new path has none", async () => {
    const { after } = await move(mintlify(), "/guides/install.mdx", "/guides/set-up");
    expect(after.has("guides/set-up.mdx")).toBe(true);
  });

  it("refuses what cannot be done, and says why", async () => {
    const docs = await openDocs(createMemoryTree(mintlify()));
    expect(refusal(await docs.movePage("nope.mdx", "a.mdx"))).toMatch(/no file/);
    expect(refusal(await docs.movePage("index.mdx", "guides/use.mdx"))).toMatch(/already/);
    expect(refusal(await docs.movePage("index.mdx", "../x.mdx"))).toMatch(/not a path/);
    expect(refusal(await docs.movePage("index.mdx", "x.txt"))).toMatch(/Markdown/);
  });
});

describe("moving a Docusaurus page", () => {
  const site = (redirects: string): MemoryFiles =>
    filesOf({
      "docusaurus.config.ts": `import type { Config } from '@docusaurus/types';\nexport default {\n  baseUrl: '/',\n  presets: [['classic', { docs: { sidebarPath: './sidebars.ts' } }]],\n  plugins: [${redirects}],\n  themeConfig: { navbar: { items: [{ to: '/docs/guides/install' }, { type: 'doc', docId: 'guides/install' }] } },\n} satisfies Config;\n`,
      "sidebars.ts": "export default {\n  main: [\n    'intro', // first\n    'guides/install',\n  ],\n};\n",
      "docs/intro.md":
        "[a](./guides/01-install.md#x) [b](/docs/guides/install?x) [c](guides/install) [d](@site/docs/guides/01-install.md)\n",
      "docs/guides/01-install.md":
        "# Install\n\n## x\n\nimport P from './_p.mdx';\n\n<P />\n\n[i](../intro.md) ![p](./p.svg)\n",
      "docs/guides/_p.mdx": "p\n",
      "docs/guides/p.svg": "svg",
    });
  const plugin =
    "['@docusaurus/plugin-client-redirects', { redirects: [\n    { from: '/docs/a', to: '/docs/guides/install' },\n  ] }]";

  it("follows ids, addresses and files", async () => {
    const { plan, after } = await move(site(plugin), "docs/guides/01-install.md", "docs/setup/02-installing.md");
    expect(textAt(after, "docs/intro.md")).toBe(
      "[a](./setup/02-installing.md#x) [b](/docs/setup/installing?x) [c](setup/installing) [d](@site/docs/setup/02-installing.md)\n",
    );
    expect(textAt(after, "sidebars.ts")).toBe(
      "export default {\n  main: [\n    'intro', // first\n    'setup/installing',\n  ],\n};\n",
    );
    const config = textAt(after, "docusaurus.config.ts") ?? "";
    expect(config).toContain(
      "{ from: '/docs/a', to: '/docs/setup/installing' },\n    { from: '/docs/guides/install', to: '/docs/setup/installing' },",
    );
    expect(config).toContain("items: [{ to: '/docs/setup/installing' }, { type: 'doc', docId: 'setup/installing' }]");
    expect(plan.navigationEntries).toBe(3);
    expect(await (await openDocs(createMemoryTree(after))).check()).toEqual([]);
  });

  it("adds no redirect where the configuration has no list of them", async () => {
    const { plan, after } = await move(site(""), "docs/guides/01-install.md", "docs/guides/03-install.md");
    expect(plan.redirect).toBeNull();
    expect(textAt(after, "docs/intro.md")).toContain("[a](./guides/03-install.md#x) [b](/docs/guides/install?x)");
  });
});
