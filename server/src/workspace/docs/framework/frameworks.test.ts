import { describe, expect, it } from "vitest";
import { openDocs } from "../docs.ts";
import { treeOf } from "../memory-tree.test-helper.ts";

async function found(texts: Record<string, string>, docsPath?: string): Promise<string> {
  const docs = await openDocs(treeOf(texts), docsPath === undefined ? {} : { docsPath });
  return `${docs.framework} ${docs.docsPath}`;
}

const MINT = `{ "$schema": "https://mintlify.com/docs.json", "navigation": {} }`;

describe("which framework, and where", () => {
  it("is told by the marker nearest to the root", async () => {
    expect(await found({ "docs.json": MINT })).toBe("mintlify ");
    expect(await found({ "a/mint.json": MINT, "a/b/docs.json": MINT })).toBe("mintlify a");
    expect(await found({ "website/docusaurus.config.ts": "export default {}", "test/fixtures/docs.json": MINT })).toBe(
      "docusaurus website",
    );
    expect(await found({ "node_modules/x/docs.json": MINT, "README.md": "x" })).toBe("plain ");
    expect(await found({ "README.md": "x", "docs/a.md": "x" })).toBe("plain docs");
    expect(await found({ "docs.json": `{ "name": "something else" }`, "README.md": "x" })).toBe("plain ");
  });

  it("is told by what stands in the marker where its name is not enough, anywhere in the repository", async () => {
    const page = { "README.md": "x" };
    expect(await found({ ...page, "docs/astro.config.mjs": "import s from '@astrojs/starlight'" })).toBe(
      "starlight docs",
    );
    expect(await found({ ...page, "site/astro.config.mjs": "export default {}" })).toBe("plain ");
    expect(await found({ ...page, "packages/docs/.vitepress/config.mts": "export default {}" })).toBe(
      "vitepress packages/docs",
    );
    expect(await found({ ...page, "docs/.vitepress/config/index.ts": "export default {}" })).toBe("vitepress docs");
    expect(await found({ ...page, "apps/www/source.config.ts": "import {} from 'fumadocs-mdx/config'" })).toBe(
      "fumadocs apps/www",
    );
    expect(await found({ ...page, "web/next.config.mjs": "import nextra from 'nextra'" })).toBe("nextra web");
    expect(await found({ ...page, "web/next.config.js": "x", "web/theme.config.tsx": "x" })).toBe("nextra web");
    expect(await found({ ...page, "web/next.config.js": "module.exports = {}" })).toBe("plain ");
    expect(await found({ ...page, "mkdocs.yml": "site_name: x" })).toBe("mkdocs ");
    expect(await found({ ...page, ".github/mkdocs.yml": "site_name: x" })).toBe("plain ");
  });

  it("is what the project says", async () => {
    const texts = { "a/docs.json": MINT, "b/docs.json": MINT, "c/x.md": "x" };
    expect(await found(texts, "/b/")).toBe("mintlify b");
    expect(await found(texts, "c")).toBe("plain c");
    expect(await found({ "docusaurus.config.js": "module.exports = {}", "docs/x.md": "x" }, "docs")).toBe(
      "docusaurus docs",
    );
  });

  it("names the files that may be published beside pages", async () => {
    const docs = await openDocs(treeOf({ "site/docs.json": MINT }));
    expect(docs.isNavigationFile("site/docs.json")).toBe(true);
    expect(docs.isNavigationFile("docs.json")).toBe(false);
    expect(docs.isNavigationFile("site/package.json")).toBe(false);
  });
});

describe("plain Markdown", () => {
  it("resolves links as a code host does", async () => {
    const docs = await openDocs(
      treeOf({
        "README.md":
          "[a](docs/a.md) [folder](docs) [lost](docs/lost.md) [root](/docs/a.md) [out](../../issues) [source](src/x.ts)\n",
        "src/x.ts": "x",
        "docs/a.md":
          '# Alpha beta\n\n[up](../README.md) [id](#alpha-beta) [bad](#alpha-bet) [self](a.md#alpha-beta) <a href="lost.html">x</a> <!-- [x](gone.md) -->\n',
      }),
      { docsPath: "" },
    );
    expect((await docs.check()).map(({ path, target, suggestion }) => `${path} ${target} ${suggestion ?? ""}`)).toEqual(
      ["README.md docs/lost.md ", "docs/a.md #alpha-bet #alpha-beta", "docs/a.md lost.html "],
    );
  });
});

describe("a broken docs.json", () => {
  it("is a syntax problem at its place, and pages are checked all the same", async () => {
    const docs = await openDocs(
      treeOf({ "docs.json": `{\n  "navigation": {},\n  "x": [1,]\n}\n`, "a.mdx": "[x](/b)\n" }),
    );
    expect(await docs.check()).toMatchObject([
      { kind: "link", path: "a.mdx", target: "/b" },
      { kind: "syntax", path: "docs.json", line: 3, column: 11 },
    ]);
  });
});
