import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { joinedGlob, selectPaths } from "./paths.ts";

const PATHS = [
  "README.md",
  "docs/a.mdx",
  "docs/guides/a.mdx",
  "docs/guides/deep/b.md",
  "docs/api/c.mdx",
  "docs/x.svg",
  "src/guides/a.mdx",
];

describe("selectPaths", () => {
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
    expect(selectPaths(PATHS, glob, docsPath)).toEqual(new Set(expected));
    // The search tool hands the same globs on as one.
    const joined = picomatch(joinedGlob(glob, docsPath), { dot: true });
    expect(PATHS.filter((path) => joined(path))).toEqual(expected);
  });

  it("matches everything with `**`", () => {
    expect(selectPaths(PATHS, "**", "docs")).toEqual(new Set(PATHS));
  });

  it.each([
    ["a glob that would take for ever", `guides/${"*?".repeat(12)}q`],
    ["one that is too long", "(".repeat(20_000)],
  ])("refuses %s, soon", (_what, glob) => {
    const paths = ["docs/guides/administration-authentication-and-authorization-of-administrators.mdx"];
    const started = performance.now();
    const selected = selectPaths(paths, glob, "docs");
    expect("refused" in selected && selected.refused).toMatch(/glob/);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
