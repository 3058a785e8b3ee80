import { describe, expect, it } from "vitest";
import { openDocs, type Docs } from "./docs.ts";
import { applyChanges, createMemoryTree, filesOf, textAt, type MemoryFiles } from "./memory-tree.test-helper.ts";

async function edited(
  files: MemoryFiles,
  change: (docs: Docs) => ReturnType<Docs["addToNavigation"]>,
): Promise<MemoryFiles | string> {
  const changes = await change(await openDocs(createMemoryTree(files)));
  return "refused" in changes ? changes.refused : applyChanges(files, changes);
}

async function textAfter(
  files: MemoryFiles,
  path: string,
  change: (docs: Docs) => ReturnType<Docs["addToNavigation"]>,
): Promise<string | undefined> {
  const after = await edited(files, change);
  return typeof after === "string" ? `refused: ${after}` : textAt(after, path);
}

describe("Mintlify's navigation", () => {
  const json = `{
  "navigation": {
    "groups": [
      {
        "group": "Start",
        "pages": [
          "index",
          "a"
        ]
      },
      { "group": "More", "pages": ["b", { "group": "Deep", "pages": [] }] },
      { "group": "Twice", "pages": ["c"] },
      { "group": "Twice", "pages": ["d"] }
    ]
  }
}
`;
  const files = filesOf({
    "docs.json": json,
    "index.mdx": "x",
    "a.mdx": "x",
    "b.mdx": "x",
    "c.mdx": "x",
    "d.mdx": "x",
    "new.mdx": "x",
  });

  it("takes a page at the end of a group, in its layout", async () => {
    expect(await textAfter(files, "docs.json", (docs) => docs.addToNavigation("new.mdx", { group: "start" }))).toBe(
      json.replace(`"a"\n`, `"a",\n          "new"\n`),
    );
    expect(await textAfter(files, "docs.json", (docs) => docs.addToNavigation("new.mdx", { group: "Deep" }))).toBe(
      json.replace(`"pages": []`, `"pages": ["new"]`),
    );
  });

  it("takes a page after another", async () => {
    expect(await textAfter(files, "docs.json", (docs) => docs.addToNavigation("new.mdx", { after: "index.mdx" }))).toBe(
      json.replace(`"index",\n`, `"index",\n          "new",\n`),
    );
    expect(await textAfter(files, "docs.json", (docs) => docs.addToNavigation("new.mdx", { after: "b" }))).toBe(
      json.replace(`["b", `, `["b", "new", `),
    );
  });

  it("refuses with the choice there is", async () => {
    expect(await edited(files, (docs) => docs.addToNavigation("new.mdx", {}))).toMatch(/"Start", "More", "Deep"/);
    expect(await edited(files, (docs) => docs.addToNavigation("new.mdx", { group: "Nope" }))).toMatch(
      /no group "Nope"/,
    );
    expect(await edited(files, (docs) => docs.addToNavigation("new.mdx", { group: "Twice" }))).toMatch(/2 groups/);
    expect(await edited(files, (docs) => docs.addToNavigation("new.mdx", { after: "nope" }))).toMatch(/no page `nope`/);
    expect(await edited(files, (docs) => docs.addToNavigation("a.mdx", { group: "More" }))).toMatch(/already/);
  });

  it("lets a page go with its comma and its line", async () => {
    const removed = (path: string) => textAfter(files, "docs.json", (docs) => docs.removeFromNavigation(path));
    expect(await removed("index.mdx")).toBe(json.replace(`"index",\n          `, ""));
    expect(await removed("a.mdx")).toBe(json.replace(`,\n          "a"`, ""));
    expect(await removed("b.mdx")).toBe(json.replace(`"b", `, ""));
    expect(await removed("c.mdx")).toBe(json.replace(`["c"]`, `[]`));
    expect(await removed("new.mdx")).toBe(json);
  });
});

describe("Docusaurus' sidebars", () => {
  const script = `module.exports = {
  main: [
    'intro', // keep me
    { type: 'category', label: 'Guides', items: ['guides/a', 'guides/b'] },
  ],
};
`;
  const files = filesOf({
    "docusaurus.config.js":
      "module.exports = { presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] };\n",
    "sidebars.js": script,
    "docs/intro.md": "x",
    "docs/guides/a.md": "x",
    "docs/guides/b.md": "x",
    "docs/guides/02-c.md": "x",
  });

  it("take a page by its id, in the file's own quotes", async () => {
    expect(
      await textAfter(files, "sidebars.js", (docs) => docs.addToNavigation("docs/guides/02-c.md", { group: "guides" })),
    ).toBe(script.replace("'guides/b'", "'guides/b', 'guides/c'"));
    expect(
      await textAfter(files, "sidebars.js", (docs) =>
        docs.addToNavigation("docs/guides/02-c.md", { after: "docs/intro.md" }),
      ),
    ).toBe(script.replace("'intro',", "'intro',\n    'guides/c',"));
    expect(
      await textAfter(files, "sidebars.js", (docs) =>
        docs.addToNavigation("docs/guides/not-yet.md", { group: "main" }),
      ),
    ).toBe(
      script
        .replace("'guides/b'] },", "'guides/b'] },\n    'guides/not-yet',")
        .replace("},\n    'guides/not-yet',,", "},\n    'guides/not-yet',"),
    );
  });

  it("let a page go, and nothing else", async () => {
    expect(await textAfter(files, "sidebars.js", (docs) => docs.removeFromNavigation("docs/intro.md"))).toBe(
      script.replace("'intro', ", ""),
    );
    expect(await textAfter(files, "sidebars.js", (docs) => docs.removeFromNavigation("docs/guides/b.md"))).toBe(
      script.replace(", 'guides/b'", ""),
    );
  });

  it("need nothing where they are generated", async () => {
    const generated = new Map(files).set(
      "sidebars.js",
      new TextEncoder().encode("module.exports = { main: [{ type: 'autogenerated', dirName: '.' }] };\n"),
    );
    const docs = await openDocs(createMemoryTree(generated));
    expect(await docs.addToNavigation("docs/guides/02-c.md", {})).toEqual([]);
  });
});
