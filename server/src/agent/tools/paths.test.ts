import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { joinedGlob, pathFilter } from "./paths.ts";

const PATHS = [
  "README.md",
  "docs/a.mdx",
  "docs/guides/a.mdx",
  "docs/guides/deep/b.md",
  "docs/api/c.mdx",
  "docs/x.svg",
  "src/guides/a.mdx",
];

describe("pathFilter", () => {
  it.each([
    ["docs/guides/**", "docs", ["docs/guides/a.mdx", "docs/guides/deep/b.md"]],
    ["guides/**", "docs", ["docs/guides/a.mdx", "docs/guides/deep/b.md"]],
    ["guides", "docs", ["docs/guides/a.mdx", "docs/guides/deep/b.md"]],
    ["/guides/", "docs", ["docs/guides/a.mdx", "docs/guides/deep/b.md"]],
    ["guides/a", "docs", ["docs/guides/a.mdx"]],
    ["docs/guides/a.mdx", "", ["docs/guides/a.mdx"]],
    ["*.svg", "docs", ["docs/x.svg"]],
    ["b.md", "docs", ["docs/guides/deep/b.md"]],
    ["**/*.md", "", ["README.md", "docs/guides/deep/b.md"]],
    ["{guides/deep,api}/**", "docs", ["docs/guides/deep/b.md", "docs/api/c.mdx"]],
    ["docs/**/b.md", "docs", ["docs/guides/deep/b.md"]],
    ["docs/**/a.mdx", "docs", ["docs/a.mdx", "docs/guides/a.mdx"]],
    ["**/a.mdx", "docs", ["docs/a.mdx", "docs/guides/a.mdx", "src/guides/a.mdx"]],
    ["nowhere/**", "docs", []],
    ["headings", "docs", []],
  ])("reads %s with the docs in %j", (glob, docsPath, expected) => {
    expect(PATHS.filter(pathFilter(glob, docsPath))).toEqual(expected);
    // The search tool hands the same globs on as one.
    const joined = picomatch(joinedGlob(glob, docsPath), { dot: true });
    expect(PATHS.filter((path) => joined(path))).toEqual(expected);
  });

  it("matches everything with `**`", () => {
    expect(PATHS.filter(pathFilter("**", "docs"))).toEqual(PATHS);
  });
});
