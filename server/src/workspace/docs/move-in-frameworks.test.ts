import { describe, expect, it } from "vitest";
import { openDocs } from "./docs.ts";
import {
  applyChanges,
  createMemoryTree,
  filesOf,
  readFolder,
  textAt,
  type MemoryFiles,
} from "./memory-tree.test-helper.ts";
import type { PageMove } from "./move-page.ts";

async function move(files: MemoryFiles, from: string, to: string): Promise<{ plan: PageMove; after: MemoryFiles }> {
  const plan = await (await openDocs(createMemoryTree(files))).movePage(from, to);
  if ("refused" in plan) throw new Error(plan.refused);
  return { plan, after: applyChanges(files, plan.changes) };
}

async function problems(files: MemoryFiles): Promise<string[]> {
  return (await (await openDocs(createMemoryTree(files))).check()).map(({ path, target }) => `${path} ${target}`);
}

describe("moving a Starlight page", () => {
  const site = (): MemoryFiles =>
    filesOf({
      "astro.config.mjs": `import starlight from '@astrojs/starlight';\nexport default defineConfig({\n  redirects: { '/x': '/guides/install/' },\n  integrations: [starlight({\n    title: 'T',\n    sidebar: [{ label: 'Guides', items: ['guides/install', { label: 'Use', link: '/guides/use/' }] }],\n  })],\n});\n`,
      "src/content/docs/index.md":
        "---\ntitle: T\n---\n[a](/guides/install/) [b](guides/install/#x) [c](/guides/install#x) [d](./guides/install)\n",
      "src/content/docs/guides/install.md": "---\ntitle: I\n---\n## x\n\n[i](../../) [u](../use/) ![p](./p.png)\n",
      "src/content/docs/guides/p.png": "png",
      "src/content/docs/guides/use.md": "---\ntitle: U\n---\n[i](../install/)\n",
    });

  it("follows addresses, the sidebar and redirects", async () => {
    const { plan, after } = await move(
      site(),
      "src/content/docs/guides/install.md",
      "src/content/docs/setup/Set Up.md",
    );
    expect(plan.redirect).toEqual({
      path: "astro.config.mjs",
      source: "/guides/install",
      destination: "/setup/set-up",
    });
    const config = textAt(after, "astro.config.mjs") ?? "";
    expect(config).toContain("'/x': '/setup/set-up', '/guides/install': '/setup/set-up'");
    expect(config).toContain("items: ['setup/set-up', { label: 'Use', link: '/guides/use/' }]");
    expect(textAt(after, "src/content/docs/index.md")).toContain(
      "[a](/setup/set-up/) [b](setup/set-up/#x) [c](/setup/set-up#x) [d](./setup/set-up)",
    );
    expect(textAt(after, "src/content/docs/setup/Set Up.md")).toContain("[u](../../guides/use/) ![p](../guides/p.png)");
    expect(await problems(after)).toEqual([]);
  });
});

describe("moving a VitePress page", () => {
  it("follows links with and without suffix, and items with a base", async () => {
    const files = filesOf({
      "docs/.vitepress/config.ts":
        "export default { themeConfig: { sidebar: { '/guide/': { base: '/guide/', items: [{ text: 'A', link: 'install' }] } }, nav: [{ text: 'I', link: '/guide/install.md' }] } }\n",
      "docs/index.md": "[a](/guide/install) [b](./guide/install.md#x) [c](guide/install.html) [d](/guide/)\n",
      "docs/guide/index.md": "[a](./install)\n\n<!--@include: ./install.md-->\n",
      "docs/guide/install.md": "## x\n\n[a](../index.md) [b](./)\n\n<<< ./code.ts\n",
      "docs/guide/code.ts": "x",
    });
    const { plan, after } = await move(files, "docs/guide/install.md", "docs/guide/setup/index.md");
    expect(plan).toMatchObject({ navigationEntries: 2, redirect: null });
    expect(textAt(after, "docs/.vitepress/config.ts")).toContain("link: 'setup/' }");
    expect(textAt(after, "docs/.vitepress/config.ts")).toContain("link: '/guide/setup/index.md'");
    expect(textAt(after, "docs/index.md")).toBe(
      "[a](/guide/setup/) [b](./guide/setup/index.md#x) [c](guide/setup/index.html) [d](/guide/)\n",
    );
    expect(textAt(after, "docs/guide/index.md")).toBe("[a](./setup/)\n\n<!--@include: ./setup/index.md-->\n");
    expect(textAt(after, "docs/guide/setup/index.md")).toBe("## x\n\n[a](../../index.md) [b](../)\n\n<<< ../code.ts\n");
    expect(await problems(after)).toEqual([]);
  });
});

describe("moving a Fumadocs page", () => {
  it("follows addresses and files, and goes from one folder's list to another's", async () => {
    const files = filesOf({
      "source.config.ts": "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs();\n",
      "next.config.mjs":
        "export default withMDX({\n  async redirects() {\n    return [\n      { source: '/a', destination: '/docs/guides/install', permanent: true },\n    ];\n  },\n});\n",
      "content/docs/meta.json": '{ "pages": ["index", "guides", "setup"] }\n',
      "content/docs/index.mdx":
        '[a](/docs/guides/install#x) [b](./guides/install.mdx) <Card href="/docs/guides/install" />\n',
      "content/docs/guides/meta.json": '{ "pages": ["install", "use"] }\n',
      "content/docs/guides/install.mdx": "## x\n\n[u](./use.mdx)\n",
      "content/docs/guides/use.mdx": "[i](./install)\n",
      "content/docs/setup/meta.json": '{\n  "pages": [\n    "other"\n  ]\n}\n',
      "content/docs/setup/other.mdx": "x\n",
    });
    const { plan, after } = await move(
      files,
      "content/docs/guides/install.mdx",
      "content/docs/setup/(new)/installing.mdx",
    );
    expect(plan.redirect).toEqual({
      path: "next.config.mjs",
      source: "/docs/guides/install",
      destination: "/docs/setup/installing",
    });
    expect(textAt(after, "next.config.mjs")).toContain(
      "{ source: '/a', destination: '/docs/setup/installing', permanent: true },\n      { source: '/docs/guides/install', destination: '/docs/setup/installing', permanent: true },",
    );
    expect(textAt(after, "content/docs/guides/meta.json")).toBe('{ "pages": ["use"] }\n');
    expect(textAt(after, "content/docs/index.mdx")).toBe(
      '[a](/docs/setup/installing#x) [b](./setup/%28new%29/installing.mdx) <Card href="/docs/setup/installing" />\n',
    );
    expect(await problems(after)).toEqual([]);
    const renamed = await move(files, "content/docs/guides/use.mdx", "content/docs/setup/using.mdx");
    expect(textAt(renamed.after, "content/docs/setup/meta.json")).toBe(
      '{\n  "pages": [\n    "other",\n    "using"\n  ]\n}\n',
    );
  });
});

describe("moving a Nextra page", () => {
  it("follows addresses, keys of _meta and redirects", async () => {
    const files = filesOf({
      "next.config.mjs":
        "import nextra from 'nextra';\nexport default nextra({})({ redirects: () => [{ source: '/b', destination: '/guides/use', permanent: true }] });\n",
      "content/_meta.js":
        "export default {\n  index: 'Home',\n  'set-up': { title: 'Set up' },\n  guides: 'Guides',\n};\n",
      "content/guides/_meta.js": "export default {\n  use: 'Use',\n};\n",
      "content/index.mdx": "[a](/set-up) [b](./set-up.mdx#x)\n",
      "content/set-up.mdx": "## x\n\n[g](./guides/use)\n",
      "content/guides/use.mdx": "[s](../set-up)\n",
    });
    const { plan, after } = await move(files, "content/set-up.mdx", "content/guides/set-up.mdx");
    expect(plan.redirect).toMatchObject({ source: "/set-up", destination: "/guides/set-up" });
    expect(textAt(after, "content/_meta.js")).toBe("export default {\n  index: 'Home',\n  guides: 'Guides',\n};\n");
    expect(textAt(after, "content/guides/_meta.js")).toBe(
      "export default {\n  use: 'Use',\n  'set-up': { title: 'Set up' },\n};\n",
    );
    expect(textAt(after, "content/index.mdx")).toBe("[a](/guides/set-up) [b](./guides/set-up.mdx#x)\n");
    expect(await problems(after)).toEqual([]);
    const renamed = await move(files, "content/set-up.mdx", "content/install.mdx");
    expect(textAt(renamed.after, "content/_meta.js")).toContain("  install: { title: 'Set up' },\n");
  });
});

describe("moving an MkDocs page", () => {
  it("follows files, addresses, nav and redirect_maps, and leaves all else of mkdocs.yml", async () => {
    const config =
      "site_name: T # name\nnav:\n  - Home: index.md\n  - Guide:\n      - guide/install.md # first\n      - 'Use': \"guide/use.md\"\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        old.md: guide/install.md\nmarkdown_extensions: [admonition]\n";
    const files = filesOf({
      "mkdocs.yml": config,
      "docs/index.md":
        "[a](guide/install.md#x) [b](guide/install/) ![c](img/c.png)\n\n!!! note\n\n    [d](./guide/install.md)\n",
      "docs/guide/install.md": '## x\n\n[u](use.md) ![c](../img/c.png) <img src="../../img/c.png">\n',
      "docs/guide/use.md": "[i](install.md)\n",
      "docs/img/c.png": "png",
    });
    const { plan, after } = await move(files, "docs/guide/install.md", "docs/set up/first/index.md");
    expect(plan.redirect).toEqual({
      path: "mkdocs.yml",
      source: "guide/install.md",
      destination: "set up/first/index.md",
    });
    expect(textAt(after, "mkdocs.yml")).toBe(
      config
        .replace("- guide/install.md # first", "- set up/first/index.md # first")
        .replace(
          "old.md: guide/install.md\n",
          "old.md: set up/first/index.md\n        guide/install.md: set up/first/index.md\n",
        ),
    );
    expect(textAt(after, "docs/index.md")).toBe(
      "[a](set%20up/first/index.md#x) [b](set%20up/first/) ![c](img/c.png)\n\n!!! note\n\n    [d](./set%20up/first/index.md)\n",
    );
    expect(textAt(after, "docs/set up/first/index.md")).toContain("[u](../../guide/use.md) ![c](../../img/c.png)");
    expect(await problems(after)).toEqual([]);
  });
});

describe.each([
  ["starlight", "src/content/docs/guides/landing.md", "src/content/docs/ground/landing.md"],
  ["vitepress", "en/guide/weaving.md", "en/guide/deep/weave.md"],
  ["fumadocs", "content/docs/guides/planting.mdx", "content/docs/beds/planting.mdx"],
  ["nextra", "content/guides/sailing.mdx", "content/sail.mdx"],
  ["mkdocs", "docs/guide/smelting.md", "docs/melt/smelting.md"],
])("moving a page of the labelled %s tree", (name, from, to) => {
  it("breaks nothing that was right: as many links lead to it as before, there and back", async () => {
    const files = readFolder(new URL(`./fixtures/${name}/tree`, import.meta.url).pathname);
    const inbound = async (tree: MemoryFiles, path: string): Promise<number> =>
      (await (await openDocs(createMemoryTree(tree))).inboundLinks(path)).length;
    const [broken, links] = [(await problems(files)).length, await inbound(files, from)];
    const { after } = await move(files, from, to);
    expect((await problems(after)).length).toBeLessThanOrEqual(broken);
    expect(await inbound(after, to)).toBeGreaterThanOrEqual(links);
    const back = await move(after, to, from);
    expect((await problems(back.after)).length).toBeLessThanOrEqual(broken);
    expect(await inbound(back.after, from)).toBeGreaterThanOrEqual(links);
    expect(links).toBeGreaterThan(1);
  });
});
