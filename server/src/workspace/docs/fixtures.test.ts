import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openDocs } from "./docs.ts";
import { createMemoryTree, readFolder } from "./memory-tree.test-helper.ts";
import type { Problem } from "./problem.ts";

interface Labels {
  /** Every defect of the tree. Syntax errors lie where a parser gives up: only their line counts. */
  defects: (Pick<Problem, "path" | "line" | "kind"> & Partial<Problem>)[];
  /** References that look like the defects and are right. */
  valid: { path: string; line: number; column: number; target: string }[];
}

function readFixture(name: string): { labels: Labels; folder: string } {
  const root = new URL(`./fixtures/${name}/`, import.meta.url);
  const labels: Labels = JSON.parse(readFileSync(new URL("labels.json", root), "utf8"));
  return { labels, folder: new URL("tree", root).pathname };
}

function place(problem: Labels["defects"][number]): string {
  const column = problem.kind === "syntax" || problem.kind === "front-matter" ? "" : `:${problem.column}`;
  const target = problem.target === undefined ? "" : ` ${problem.target}`;
  return `${problem.path}:${problem.line}${column} ${problem.kind}${target} -> ${problem.suggestion ?? ""}`;
}

const FRAMEWORKS = ["mintlify", "docusaurus", "starlight", "vitepress", "fumadocs", "nextra", "mkdocs"];

/** Files of configuration, where a place is not a place in running text. */
const CONFIGURATION = /\.(?:[cm]?[jt]s|json|ya?ml)$/;

describe.each(FRAMEWORKS)("the labelled %s tree", (name) => {
  const { labels, folder } = readFixture(name);
  const tree = createMemoryTree(readFolder(folder));

  it("has enough of both", () => {
    expect(labels.defects.length).toBeGreaterThanOrEqual(60);
    expect(labels.valid.length).toBeGreaterThanOrEqual(60);
  });

  it("is recognised", async () => {
    expect(await openDocs(tree)).toMatchObject({ framework: name, docsPath: "" });
  });

  it("has exactly the labelled defects, at their places, with their suggestions", async () => {
    const docs = await openDocs(tree);
    const problems = await docs.check();
    expect(problems.map(place).sort()).toEqual(labels.defects.map(place).sort());
  });

  it("finds the same again from what it kept", async () => {
    const docs = await openDocs(tree);
    expect(await docs.check()).toEqual(await docs.check());
  });

  it("suggests only what is right once it is written", async () => {
    const files = readFolder(folder);
    const problems = await (await openDocs(tree)).check();
    for (const { path, target, suggestion, line, column } of problems.toReversed()) {
      if (target === undefined || suggestion === undefined || CONFIGURATION.test(path)) continue;
      const lines = new TextDecoder().decode(files.get(path)).split("\n");
      const text = lines[line - 1] ?? "";
      lines[line - 1] = text.slice(0, column - 1) + suggestion + text.slice(column - 1 + target.length);
      files.set(path, new TextEncoder().encode(lines.join("\n")));
    }
    const mended = new Set(
      problems.filter(({ suggestion }) => suggestion !== undefined).map(({ path, line }) => `${path}:${line}`),
    );
    const left = await (await openDocs(createMemoryTree(files))).check();
    const unmendable = problems.filter(({ path, suggestion }) => suggestion === undefined || CONFIGURATION.test(path));
    expect(left.map(({ path, line, kind }) => `${path}:${line} ${kind}`).sort()).toEqual(
      unmendable.map(({ path, line, kind }) => `${path}:${line} ${kind}`).sort(),
    );
    expect(mended.size).toBeGreaterThan(15);
  });
});
