import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDocs } from "./docs.ts";
import { FRAMEWORKS } from "./framework/frameworks.ts";
import { createMemoryTree, treeOf } from "./memory-tree.test-helper.ts";
import { createPageParser } from "./parser/page-parser.ts";
import { readPageSource } from "./parser/page-source.ts";

const PIECES = [
  "# ",
  "## x {#id}\n",
  "[",
  "](",
  ")",
  "<",
  ">",
  "</a>",
  '<Card href="/x">',
  "{",
  "}",
  "`",
  "```\n",
  "---\n",
  "a: b\n",
  "\n",
  "\r\n",
  "> ",
  "- ",
  "*",
  "_",
  "$",
  ":::note{.x}\n",
  "import a from './b'\n",
  "export const a = 1\n",
  "<!--",
  "-->",
  "\0",
  "\uD800",
  "\uFEFF",
  "|",
  "&amp;",
  "[a]: b\n",
  "!!! note\n\n    ",
  '=== "x"\n',
  ":   x\n",
  '--8<-- "b.md"\n',
  "<!--@include: ./b.md-->",
  "<<< @/b.ts{1}\n",
  "<include>./b.mdx</include>",
  "[#id]\n",
  "{ #id .x }\n",
  "x".repeat(50),
];
const markup = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 8 })), { maxLength: 60 })
  .map((pieces) => pieces.join(""));

describe("a page of arbitrary text", () => {
  it("never makes the parser throw, and every place lies in the text", () => {
    fc.assert(
      fc.property(
        markup,
        fc.constantFrom(...FRAMEWORKS.map(({ name }) => name)),
        fc.constantFrom("md", "mdx"),
        (text, framework, format) => {
          const content = new TextEncoder().encode(text);
          const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
          const facts = readPageSource({ content, framework, format, math: true });
          for (const link of facts.links) {
            expect(decoded.slice(link.start, link.end)).toBe(link.written);
            expect(link.line).toBeGreaterThan(0);
          }
          for (const problem of facts.problems)
            expect(problem.line).toBeLessThanOrEqual(decoded.split("\n").length + 1);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("never makes a check, a move or the navigation throw", async () => {
    await fc.assert(
      fc.asyncProperty(
        markup,
        markup,
        fc.constantFrom(
          "docs.json",
          "docusaurus.config.js",
          "astro.config.mjs",
          ".vitepress/config.ts",
          "source.config.ts",
          "next.config.js",
          "mkdocs.yml",
          "other.json",
        ),
        async (text, config, marker) => {
          const named = marker.endsWith(".yml") ? "#" : "//";
          const docs = await openDocs(
            treeOf({
              [marker]: marker.endsWith(".json")
                ? config
                : `${named} @astrojs/starlight, fumadocs, "nextra"\n${config}`,
              "src/content/docs/a.mdx": text,
              "content/docs/a.mdx": text,
              "content/docs/meta.json": config,
              "content/_meta.js": config,
              "docs/a.mdx": text,
              "docs/b.md": `${text}[a](./a.mdx)`,
              "sidebars.js": config,
              "docs/x.mdx": "x",
            }),
          );
          await docs.check();
          await docs.pages();
          await docs.movePage("docs/a.mdx", "docs/c/a.mdx");
          await docs.movePage("src/content/docs/a.mdx", "src/content/docs/c/a.mdx");
          await docs.movePage("content/docs/a.mdx", "content/docs/c/a.mdx");
          await docs.addToNavigation("docs/x.mdx", { group: "x" });
          await docs.inboundLinks("docs/a.mdx");
        },
      ),
      { numRuns: 100 },
    );
  });

  it("may be binary or not UTF-8", async () => {
    const files = new Map([["docs/a.md", Uint8Array.from([0xff, 0xfe, 0x00, 0x80])]]);
    const problems = await (await openDocs(createMemoryTree(files))).check();
    expect(problems).toMatchObject([{ kind: "syntax", path: "docs/a.md", message: "The file is not UTF-8 text." }]);
  });
});

describe("a page made to be slow or deep", () => {
  const parse = (text: string, timeoutMs: number): Promise<string[]> =>
    createPageParser({ processes: 1, timeoutMs })
      .parse({ content: new TextEncoder().encode(text), format: "mdx", framework: "mintlify", math: true })
      .then((facts) => facts.problems.map(({ message }) => message));

  it("is given up after its time, and the next page is read", async () => {
    const parser = createPageParser({ processes: 1, timeoutMs: 300 });
    const slow = {
      content: new TextEncoder().encode("_*a".repeat(30_000)),
      format: "mdx",
      framework: "mintlify",
      math: true,
    } as const;
    const [problem, fine] = await Promise.all([
      parser.parse(slow),
      createPageParser().parse({ ...slow, content: new TextEncoder().encode(`# Fine\n${"word ".repeat(1000)}`) }),
    ]);
    expect(problem.problems[0]?.message).toMatch(/cannot be parsed within 0.3 s/);
    expect(fine.title).toBe("Fine");
  });

  it.each([
    ["quotes", `${"> ".repeat(6000)}x`],
    ["lists", `${"- ".repeat(4000)}x`],
    ["braces", "{".repeat(50_000)],
    ["elements", "<a>".repeat(2000)],
  ])("of nested %s is a syntax problem", async (_, text) => {
    expect(await parse(text, 50_000)).toHaveLength(1);
  });

  it("of one line of 1 MB is read", async () => {
    expect(await parse("word ".repeat(200_000), 50_000)).toEqual([]);
  });

  it("does not outlast an abort", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`docs/${index}.md`, `# ${index}\n\n${"*a* ".repeat(1000)}`]),
    );
    const docs = await openDocs(treeOf(pages));
    const controller = new AbortController();
    const checking = docs.check(controller.signal);
    controller.abort(new Error("stopped"));
    await expect(checking).rejects.toThrow("stopped");
  });
});
