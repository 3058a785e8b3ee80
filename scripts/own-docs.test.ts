import { existsSync, globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
/** Where a path in the text may start: the text names the folder that it talks of. */
const PLACES = ["", "server/src", "server/src/agent", "server/src/workspace", "server/src/workspace/docs"];

const pages = globSync(["*.md", "docs/**/*.md", "examples/README.md"], { cwd: root });

test.each(pages)("%s names no file that is not there", async (page) => {
  const text = await readFile(join(root, page), "utf8");
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = ""]) =>
    join(dirname(page), target),
  );
  const paths = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|md|json|sql))`/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !/NAME|NNNN|[<>*…]/.test(path) && !isOfADataDirectory(path));
  const missing = [
    ...links.filter((path) => !existsSync(join(root, path))),
    ...paths.filter((path) => !PLACES.some((place) => existsSync(join(root, place, path)))),
  ];
  expect(missing).toEqual([]);
});

function isOfADataDirectory(path: string): boolean {
  return path.startsWith(".docent/") || path.startsWith(".mintlify/");
}
