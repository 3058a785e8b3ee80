import { describe, expect, it } from "vitest";
import { openDocs, type Docs } from "./docs.ts";
import { applyChanges, createMemoryTree, filesOf, textAt, type MemoryFiles } from "./memory-tree.test-helper.ts";

type Change = (docs: Docs) => ReturnType<Docs["addToNavigation"]>;

/** The file's text after the change, or why it was refused. */
async function textAfter(files: MemoryFiles, path: string, change: Change): Promise<string | undefined> {
  const changes = await change(await openDocs(createMemoryTree(files)));
  return "refused" in changes ? `refused: ${changes.refused}` : textAt(applyChanges(files, changes), path);
}

interface Case {
  framework: string;
  /** The navigation's file and its text. */
  path: string;
  text: string;
  files: Record<string, string>;
  page: string;
  after: [reference: string, result: [string, string]];
  group: [name: string, result: [string, string]];
  removed: [path: string, result: [string, string]];
}

const CASES: Case[] = [
  {
    framework: "starlight",
    path: "astro.config.mjs",
    text: "import starlight from '@astrojs/starlight';\nexport default defineConfig({\n  integrations: [\n    starlight({\n      sidebar: [\n        'start',\n        { label: 'Guides', items: ['guides/a', { slug: 'guides/b' }] },\n      ],\n    }),\n  ],\n});\n",
    files: {
      "src/content/docs/start.md": "---\ntitle: S\n---\n",
      "src/content/docs/guides/a.md": "---\ntitle: A\n---\n",
      "src/content/docs/guides/b.md": "---\ntitle: B\n---\n",
    },
    page: "src/content/docs/guides/New One.md",
    after: ["src/content/docs/start.md", ["'start',", "'start',\n        'guides/new-one',"]],
    group: ["guides", ["{ slug: 'guides/b' }", "{ slug: 'guides/b' }, 'guides/new-one'"]],
    removed: ["src/content/docs/guides/b.md", [", { slug: 'guides/b' }", ""]],
  },
  {
    framework: "vitepress",
    path: ".vitepress/config.ts",
    text: "import { defineConfig } from 'vitepress'\n\nexport default defineConfig({\n  themeConfig: {\n    sidebar: [\n      {\n        text: 'Guide',\n        items: [\n          { text: 'A', link: '/guide/a' },\n          { text: 'B', link: '/guide/b.md' }\n        ]\n      }\n    ]\n  }\n})\n",
    files: { "index.md": "x", "guide/a.md": "x", "guide/b.md": "x" },
    page: "guide/new-one.md",
    after: [
      "/guide/a",
      [
        "{ text: 'A', link: '/guide/a' },",
        "{ text: 'A', link: '/guide/a' },\n          { text: 'New one', link: '/guide/new-one' },",
      ],
    ],
    group: [
      "Guide",
      ["link: '/guide/b.md' }", "link: '/guide/b.md' },\n          { text: 'New one', link: '/guide/new-one.md' }"],
    ],
    removed: ["guide/a.md", ["{ text: 'A', link: '/guide/a' },\n          ", ""]],
  },
  {
    framework: "fumadocs",
    path: "content/docs/guides/meta.json",
    text: '{\n  "title": "All guides",\n  "pages": [\n    "a",\n    "b"\n  ]\n}\n',
    files: {
      "source.config.ts":
        "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
      "content/docs/guides/a.mdx": "x",
      "content/docs/guides/b.mdx": "x",
    },
    page: "content/docs/guides/new-one.mdx",
    after: ["content/docs/guides/a.mdx", ['"a",', '"a",\n    "new-one",']],
    group: ["all guides", ['"b"', '"b",\n    "new-one"']],
    removed: ["content/docs/guides/b.mdx", [',\n    "b"', ""]],
  },
  {
    framework: "nextra",
    path: "content/_meta.js",
    text: "export default {\n  index: 'Home',\n  'set-up': 'Set up',\n  use: 'Use',\n};\n",
    files: {
      "next.config.mjs": "import nextra from 'nextra';\nexport default nextra({})({});\n",
      "content/index.mdx": "x",
      "content/set-up.mdx": "x",
      "content/use.mdx": "x",
    },
    page: "content/new-one.mdx",
    after: ["content/set-up.mdx", ["'Set up',", "'Set up',\n  'new-one': 'New one',"]],
    group: ["content", ["use: 'Use',", "use: 'Use',\n  'new-one': 'New one',"]],
    removed: ["content/set-up.mdx", ["'set-up': 'Set up',\n  ", ""]],
  },
  {
    framework: "mkdocs",
    path: "mkdocs.yml",
    text: "site_name: T\nnav:\n  - index.md\n  - Guide: # all of it\n      - A: guide/a.md # first\n      - guide/b.md\n\nplugins: [search]\n",
    files: { "docs/index.md": "x", "docs/guide/a.md": "x", "docs/guide/b.md": "x" },
    page: "docs/guide/new-one.md",
    after: ["docs/guide/a.md", ["guide/a.md # first\n", "guide/a.md # first\n      - guide/new-one.md\n"]],
    group: ["Guide", ["- guide/b.md\n", "- guide/b.md\n      - guide/new-one.md\n"]],
    removed: ["docs/guide/a.md", ["      - A: guide/a.md # first\n", ""]],
  },
];

describe.each(CASES)("the navigation of $framework", ({ path, text, files, page, after, group, removed }) => {
  const tree = filesOf({ ...files, [path]: text });

  it("takes a page after another, or at the end of a group, in the file's own layout", async () => {
    expect(await textAfter(tree, path, (docs) => docs.addToNavigation(page, { after: after[0] }))).toBe(
      text.replace(...after[1]),
    );
    expect(await textAfter(tree, path, (docs) => docs.addToNavigation(page, { group: group[0] }))).toBe(
      text.replace(...group[1]),
    );
  });

  it("lets a page go with its line, and nothing else", async () => {
    expect(await textAfter(tree, path, (docs) => docs.removeFromNavigation(removed[0]))).toBe(
      text.replace(...removed[1]),
    );
    expect(await textAfter(tree, path, (docs) => docs.removeFromNavigation(page))).toBe(text);
  });

  it("says when a page is there already", async () => {
    expect(await textAfter(tree, path, (docs) => docs.addToNavigation(removed[0], { group: group[0] }))).toMatch(
      /^refused: .* already\.$/,
    );
  });

  it("is what may be edited of its file", async () => {
    const docs = await openDocs(createMemoryTree(tree));
    expect(docs.isNavigationFile(path)).toBe(true);
    for (const change of [
      await docs.addToNavigation(page, { group: group[0] }),
      await docs.removeFromNavigation(removed[0]),
    ]) {
      if ("refused" in change) throw new Error(change.refused);
      for (const { path: changed, content } of change) {
        expect(docs.configurationDefect(changed, tree.get(changed), content)).toBeUndefined();
        if (/\.[cm]?[jt]s$/.test(changed) && content !== null)
          expect(await docs.newCode(changed, tree.get(changed) ?? null, content)).toEqual([]);
      }
    }
  });
});
