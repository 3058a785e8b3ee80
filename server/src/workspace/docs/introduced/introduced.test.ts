import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDocs } from "../docs.ts";
import { createMemoryTree, readFolder, type MemoryFiles } from "../memory-tree.test-helper.ts";
import type { Problem } from "../problem.ts";
import { newProblems, withoutSuggestion } from "./compare-problems.ts";
import { findIntroducedProblems } from "./introduced.ts";
import { randomChanges } from "./random-changes.test-helper.ts";

const RUNS = 30;

function fixture(name: string): MemoryFiles {
  const [folder, without] = name === "plain" ? ["mintlify", "docs.json"] : [name, undefined];
  const files = readFolder(new URL(`../fixtures/${folder}/tree`, import.meta.url).pathname);
  if (without !== undefined) files.delete(without);
  return files;
}

async function compareInFull(before: MemoryFiles, after: MemoryFiles): Promise<Problem[]> {
  const check = async (files: MemoryFiles): Promise<Problem[]> => (await openDocs(createMemoryTree(files))).check();
  return newProblems(await check(before), await check(after)).map(withoutSuggestion);
}

const FRAMEWORKS = ["mintlify", "docusaurus", "starlight", "vitepress", "fumadocs", "nextra", "mkdocs", "plain"];

describe.each(FRAMEWORKS)("changes to the labelled %s tree", (name) => {
  const files = fixture(name);

  it("bring the problems that two full checks differ by", { timeout: 300_000 }, async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(randomChanges, async ({ apply }) => {
        const changed = apply(files);
        // Either way round: what a change takes away, its reverse brings.
        for (const [before, after] of [
          [files, changed],
          [changed, files],
        ] as const) {
          const introduced = await findIntroducedProblems({
            before: createMemoryTree(before),
            after: createMemoryTree(after),
          });
          found += introduced.length;
          expect(introduced).toEqual(await compareInFull(before, after));
        }
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(RUNS);
  });
});
