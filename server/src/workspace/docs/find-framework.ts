import type { DocsFiles } from "./docs-files.ts";
import type { Framework } from "./framework/framework.ts";
import { frameworkNamed, FRAMEWORKS } from "./framework/frameworks.ts";
import { isUnder } from "./paths.ts";

/** Where the documentation lies: the framework's own folder, which may hold `docsPath` or lie in it. */
export interface FoundFramework {
  framework: Framework;
  folder: string;
}

const NOT_THE_DOCS = /(?:^|\/)(?:node_modules|\.(?!vitepress\/)[^/]+)\//;

/** Decides by marker files which framework a tree is. `docsPath`: without slashes at its ends; only docs at, in or around it. */
export async function findFramework(
  files: (folder: string) => DocsFiles,
  paths: readonly string[],
  docsPath: string | undefined,
): Promise<FoundFramework> {
  const own = paths.filter((path) => !NOT_THE_DOCS.test(path));
  const depth = (folder: string): number => (folder === "" ? 0 : folder.split("/").length);
  const distance = (folder: string): number =>
    docsPath === undefined ? depth(folder) : Math.abs(depth(folder) - depth(docsPath));
  const candidates = FRAMEWORKS.filter(({ name }) => name !== "plain")
    .flatMap((framework) => [...new Set(framework.folders(own))].map((folder) => ({ framework, folder })))
    .filter(({ folder }) => docsPath === undefined || isUnder(folder, docsPath) || isUnder(docsPath, folder))
    .sort((left, right) => distance(left.folder) - distance(right.folder));
  for (const candidate of candidates) {
    if ((await candidate.framework.confirm?.(files(candidate.folder))) !== false) return candidate;
  }
  const plain = frameworkNamed("plain");
  return { framework: plain, folder: docsPath ?? plain.folders(own)[0] ?? "" };
}

export function withoutOuterSlashes(docsPath: string | undefined): string | undefined {
  return docsPath?.replaceAll(/^\/+|\/+$/g, "");
}
