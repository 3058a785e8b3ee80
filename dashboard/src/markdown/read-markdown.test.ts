import fc from "fast-check";
import { expect, test } from "vitest";
import { readMarkdown } from "./read-markdown.ts";
import { TAGS, type MarkdownElement, type MarkdownNode } from "./tree.ts";

function elements(nodes: readonly MarkdownNode[]): MarkdownElement[] {
  return nodes.flatMap((node) => (typeof node === "string" ? [] : [node, ...elements(node.children)]));
}

function text(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => (typeof node === "string" ? node : text(node.children))).join("");
}

const read = (source: string, isMdx = false) => {
  const tree = readMarkdown(source, isMdx);
  return { ...tree, all: elements(tree.nodes), text: text(tree.nodes) };
};

test("only addresses that name a protocol of the web or e-mail are links", () => {
  const { all } = read(
    [
      "[a](https://example.com/x)",
      "[b](mailto:ada@example.com)",
      "[c](javascript:alert(1))",
      "[d](/v1/projects)",
      "[e](//example.com)",
      "[f](data:text/html,x)",
      "[g](JaVaScRiPt:alert(1))",
      "[h](./page.md)",
    ].join("\n\n"),
  );
  const links = all.filter(({ tag }) => tag === "a").map(({ properties }) => properties.href);
  expect(links).toEqual([
    "https://example.com/x",
    "mailto:ada@example.com",
    ...Array.from({ length: 6 }, () => undefined),
  ]);
});

test("HTML is text, comments are nothing, images say what they are", () => {
  const page = read(
    '<!-- a note -->\n\n<script>alert(1)</script>\n\nText <img src=x onerror="alert(1)">\n\n![A cat](https://evil.test/cat.png)\n',
  );
  expect(page.text).toContain("<script>alert(1)</script>");
  expect(page.text).toContain('<img src=x onerror="alert(1)">');
  expect(page.text).not.toContain("a note");
  expect(page.all.filter(({ tag }) => tag === "img").map(({ properties }) => properties)).toEqual([
    { alt: "A cat", source: "https://evil.test/cat.png" },
  ]);
});

test("components are boxes with their children, front matter is fields, code of MDX goes", () => {
  const page = read(
    [
      "---",
      'title: "Install"',
      "tags:",
      "  - a",
      "---",
      'import { Card } from "x";',
      "",
      '<Card title="Start" icon={icon} wide>',
      "  Some **words**",
      "</Card>",
      "",
      "{/* a note */}",
      "",
      "Version {version} <br/> <Badge>new</Badge>",
    ].join("\n"),
    true,
  );
  expect(page.problem).toBeNull();
  const [front] = page.all.filter(({ tag }) => tag === "front-matter");
  expect(front?.properties.fields).toEqual([
    ["title", "Install"],
    ["tags", "- a"],
  ]);
  const boxes = page.all.filter(({ tag }) => tag === "component").map(({ properties }) => properties);
  expect(boxes).toEqual([
    {
      name: "Card",
      isInline: false,
      fields: [
        ["title", "Start"],
        ["icon", "{icon}"],
        ["wide", ""],
      ],
    },
    { name: "Badge", isInline: true, fields: [] },
  ]);
  expect(page.all.some(({ tag }) => tag === "strong")).toBe(true);
  expect(page.text).toContain("{version}");
  expect(page.text).not.toMatch(/import|a note/);
});

test("MDX that cannot be parsed is read as Markdown, and says why", () => {
  const page = read("# Title\n\n<Card>\n\n*never closed*\n", true);
  expect(page.problem).toMatch(/Card/);
  expect(page.all.map(({ tag }) => tag)).toEqual(expect.arrayContaining(["h1", "em"]));
});

test("elements say on which lines they stand", () => {
  const { nodes } = read("---\ntitle: x\n---\n\n# Head\n\nA paragraph\nof two lines\n");
  expect(nodes.flatMap((node) => (typeof node === "string" ? [] : [node.lines]))).toEqual([
    [1, 3],
    [5, 5],
    [7, 8],
  ]);
});

test("a huge table is cut, and deep nesting is flattened", () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => `| ${index} | b | c |`).join("\n");
  const table = read(`| a | b | c |\n|---|---|---|\n${rows}\n`);
  expect(table.isCut).toBe(true);
  expect(table.all.length).toBeLessThan(8_100);
  const deep = read(`${"> ".repeat(300)}x`);
  expect(deep.text.trim()).toBe("x");
  const depth = (nodes: readonly MarkdownNode[]): number =>
    Math.max(0, ...nodes.map((node) => (typeof node === "string" ? 0 : 1 + depth(node.children))));
  expect(depth(deep.nodes)).toBeLessThanOrEqual(41);
});

test("whatever is written, nothing comes out but what is named", () => {
  const pieces = [
    "<script>",
    "<img onerror=x>",
    "[a](javascript:x)",
    "`",
    "*",
    "\n",
    "<",
    "a",
    "&lt;",
    "<A>",
    "</A>",
    "{",
    "}",
    "|",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), fc.boolean(), (parts, isMdx) => {
      for (const { tag, properties } of read(parts.join(""), isMdx).all) {
        expect(TAGS).toContain(tag);
        expect(properties.href ?? "https:").toMatch(/^(?:https?|mailto):/);
      }
    }),
  );
});
