import fc from "fast-check";
import { expect, it } from "vitest";
import { parseLinkTarget } from "../link-target.ts";
import { readFolder } from "../memory-tree.test-helper.ts";
import { readPageSource, type PageSource } from "../parser/page-source.ts";
import { isPagePath } from "../paths.ts";
import { sketchPage } from "./page-sketch.ts";
import { roughReferences } from "./rough-references.ts";

/** What the parser finds on the page and the rough look does not. */
function missed(page: PageSource): string[] {
  const { references, complete } = sketchPage(page.content, []);
  if (!complete) return [];
  const seen = new Set(
    references.flatMap(({ path, anchor, uses }) =>
      uses.map(({ role, syntax }) => JSON.stringify([path, anchor, role, syntax])),
    ),
  );
  const asSeen = {
    markdown: "markdown",
    definition: "markdown",
    attribute: "attribute",
    html: "attribute",
    script: "script",
  };
  return readPageSource(page).links.flatMap((link) => {
    const target = parseLinkTarget(link.url);
    if (target === undefined || (target.path === "" && target.anchor === null)) return [];
    const key = JSON.stringify([target.path, target.anchor, link.role, asSeen[link.syntax]]);
    return seen.has(key) ? [] : [key];
  });
}

it.each(["mintlify", "docusaurus"] as const)("misses no reference of the labelled %s tree", (framework) => {
  const files = readFolder(new URL(`../fixtures/${framework}/tree`, import.meta.url).pathname);
  for (const [path, content] of files) {
    if (!isPagePath(path)) continue;
    for (const format of ["md", "mdx"] as const) {
      expect(missed({ content, framework, format, math: true }), path).toEqual([]);
    }
  }
});

const PIECES = [
  "[a](", "![a](", ")", "(", "<", ">", "[a]: ", "\n", "\n\n", "> ", "- ", " ", "/b", "../c.md", "#d", "?e=f", "&amp;", "\\", "%20", '"', "'", "`",
  '<a href="', "<a href='/x'>", "<img src=/y.png>", '<Card href={"', '"}', ">", "/>", "</a>", "{", "}", "{/* ", " */}", "import X from './x'\n", 'require("./z.png")',
  "<use href='#u'/>", '<Snippet file="s.mdx" />', "```\n", "é", "https://x.y", "mailto:", "[a][b]", "|", "|-|\n", "<!-- ", " -->", "export const a = 1\n",
]; // prettier-ignore

it("misses no reference of any page", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join("")),
      fc.constantFrom("mintlify", "docusaurus", "plain"),
      fc.constantFrom("md", "mdx"),
      (text, framework, format) => {
        const content = new TextEncoder().encode(text);
        expect(missed({ content, framework, format, math: false })).toEqual([]);
      },
    ),
    { numRuns: 1000 },
  );
});

it("takes time by the length of the page", () => {
  for (const piece of ["](", "](<", "href={", 'href="', "href=", "import ", "from '", "[a]: ", "---\n"]) {
    const start = performance.now();
    roughReferences(piece.repeat(100_000));
    expect(performance.now() - start, piece).toBeLessThan(2000);
  }
});
