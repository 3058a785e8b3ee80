import { describe, expect, it } from "vitest";
import { openDocs } from "./docs.ts";
import { treeOf } from "./memory-tree.test-helper.ts";

function page(title: string, body = ""): string {
  return `---\ntitle: ${title}\n---\n\n${body}\n`;
}

function docsJson(...pages: string[]): string {
  return JSON.stringify({ $schema: "https://mintlify.com/docs.json", navigation: { pages } });
}

/** What is found on these pages, as `target -> suggestion`. */
async function suggestions(texts: Record<string, string>): Promise<string[]> {
  const problems = await (await openDocs(treeOf(texts))).check();
  return problems.map(({ target, suggestion }) => `${target} -> ${suggestion ?? ""}`);
}

describe("a page of the same name elsewhere", () => {
  it("is meant where its whole folder was renamed", async () => {
    expect(
      await suggestions({
        "docs.json": docsJson(),
        "start.mdx": "[a](/developers/webhooks) [b](/developers/tokens#scopes) [c](/developers/tokens#gone)\n",
        "guides/webhooks.mdx": page("Webhooks"),
        "guides/tokens.mdx": page("Tokens", "## Scopes"),
      }),
    ).toEqual([
      "/developers/webhooks -> /guides/webhooks",
      "/developers/tokens#scopes -> /guides/tokens#scopes",
      "/developers/tokens#gone -> /guides/tokens",
    ]);
  });

  it("is a coincidence where most of the folder is nowhere else", async () => {
    expect(
      await suggestions({
        "docs.json": docsJson(),
        "start.mdx": "[a](/concepts/retrievers) [b](/concepts/chains) [c](/concepts/prompts)\n",
        "integrations/retrievers.mdx": page("Retrievers"),
      }),
    ).toEqual(["/concepts/retrievers -> ", "/concepts/chains -> ", "/concepts/prompts -> "]);
  });

  it("is another thing where the two folders stand side by side", async () => {
    expect(
      await suggestions({
        "docs.json": docsJson(),
        "start.mdx": "[a](/loaders/arcgis)\n",
        ...Object.fromEntries(["slack", "gmail"].flatMap((name) => [[`loaders/${name}.mdx`, page(name)]])),
        ...Object.fromEntries(["slack", "gmail", "arcgis"].flatMap((name) => [[`providers/${name}.mdx`, page(name)]])),
      }),
    ).toEqual(["/loaders/arcgis -> "]);
  });

  it("is not a section's front page", async () => {
    expect(
      await suggestions({
        "docs.json": docsJson(),
        "start.mdx": "[a](/oss/python) [b](/oss/python/agents)\n",
        "oss/tools/python.mdx": page("Python"),
        "oss/tools/agents.mdx": page("Agents"),
      }),
    ).toEqual(["/oss/python -> ", "/oss/python/agents -> /oss/tools/agents"]);
  });

  it("is not the page that the link stands on, but for a place on it", async () => {
    expect(
      await suggestions({
        "docs.json": docsJson(),
        "guides/security.mdx": page("Security", "## Rules\n\n[a](/legal/SECURITY) [b](/legal/security#rules)"),
      }),
    ).toEqual(["/legal/SECURITY -> ", "/legal/security#rules -> /guides/security#rules"]);
  });
});

describe("a page with the link's text for its title", () => {
  it("is meant in the same folder alone", async () => {
    expect(
      await suggestions({
        "docs.json": docsJson(),
        "start.mdx": "[Invoices](/concepts/bills) [Chat models](/concepts/chat_models)\n",
        "concepts/invoices.mdx": page("Invoices"),
        "integrations/chat.mdx": page("Chat models"),
      }),
    ).toEqual(["/concepts/bills -> /concepts/invoices", "/concepts/chat_models -> "]);
  });
});

describe("the same words from another folder", () => {
  it("are a slip where one page alone is reached so, and READMEs are everywhere", async () => {
    expect(
      await suggestions({
        "README.md": "x\n",
        "docs/a/b.md": "[x](../../tools/c.md) [y](../d.md) [z](../../../README.md) [readme](./README.md)\n",
        "docs/tools/c.md": "# C\n",
        "docs/a/d.md": "# D\n",
        "docs/e/c.md": "# Another C\n",
      }),
    ).toEqual(["../../tools/c.md -> ../tools/c.md", "../d.md -> d.md", "./README.md -> "]);
  });
});

describe("an entry of the navigation", () => {
  it("does not mean a page that is listed, or that two entries could mean", async () => {
    expect(
      await suggestions({
        "docs.json": docsJson("python/agents", "js/agents", "old/tools", "guides/tools", "old/faq"),
        "guides/agents.mdx": page("Agents"),
        "guides/tools.mdx": page("Tools"),
        "guides/faq.mdx": page("FAQ"),
      }),
    ).toEqual(["python/agents -> ", "js/agents -> ", "old/tools -> ", "old/faq -> guides/faq"]);
  });
});

describe("a link of a Docusaurus site that rewrites links", () => {
  const texts = {
    "docs/guide/a.md": "[x](../../SECURITY.md) [y](../../src/main.cc) [z](./gone.md) [w](../tools/b.md)\n",
    "docs/b.md": "# B\n",
  };

  it("is let be where it climbs out of the pages", async () => {
    const plugin = `import links from "./links.js";\n`;
    const config = `export default { presets: [["classic", { docs: { remarkPlugins: [links] } }]] };\n`;
    expect(await suggestions({ ...texts, "docusaurus.config.js": plugin + config })).toEqual([
      "./gone.md -> ",
      "../tools/b.md -> ../b.md",
    ]);
    expect(
      await suggestions({ ...texts, "docusaurus.config.js": "export default { presets: ['classic'] };\n" }),
    ).toEqual(["../../SECURITY.md -> ", "../../src/main.cc -> ", "./gone.md -> ", "../tools/b.md -> ../b.md"]);
  });
});

describe("what an SVG uses", () => {
  it("is an image", async () => {
    const svg = `<svg><use href="sprites/icons.svg#star"></use></svg>\n`;
    const docs = await openDocs(treeOf({ "docs.json": docsJson(), "a.mdx": svg, "icons.svg": "<svg/>" }));
    expect(await docs.check()).toMatchObject([{ kind: "image", suggestion: "icons.svg#star" }]);
  });
});
