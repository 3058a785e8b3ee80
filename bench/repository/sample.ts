import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeSampleRepository } from "../../scripts/demo/sample.ts";
import type { PageEdit } from "../order.ts";

export interface SampleRepository {
  directory: string;
  /** A possible edit for every page. */
  edits: readonly PageEdit[];
}

/** The sample documentation as a git repository: a real small product's docs. */
export async function createSampleRepository(root: string, directory: string): Promise<SampleRepository> {
  const source = join(root, "examples/docs");
  await makeSampleRepository(source, directory);
  const paths = (await readdir(source, { recursive: true })).filter((path) => path.endsWith(".mdx")).sort();
  const edits: PageEdit[] = [];
  for (const path of paths) {
    const before = findSentence(await readFile(join(source, path), "utf8"));
    if (before !== undefined) edits.push({ path, before, after: `${before} This was revised.` });
  }
  return { directory, edits };
}

/** The first line of plain prose that the page holds once. */
function findSentence(text: string): string | undefined {
  return text.split("\n").find((line) => /^[A-Z][^<>{}|`]*\.$/.test(line) && text.split(line).length === 2);
}
