import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { openDocs } from "../../server/src/workspace/docs/docs.ts";
import type { Tree } from "../../server/src/workspace/tree.ts";

const directory = join(import.meta.dirname, "../../examples/docs");

async function sampleTree(): Promise<Tree> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
  const read = (path: string): Promise<Buffer> => readFile(join(directory, path));
  const entries = await Promise.all(
    paths.sort().map(async (path) => {
      const content = await read(path);
      const oid = createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
      return { path, mode: "100644" as const, oid, bytes: content.length };
    }),
  );
  return { list: async () => entries, read: async (path) => (paths.includes(path) ? read(path) : undefined) };
}

test("the sample has the defects that its README lists, with those answers, and no others", async () => {
  const docs = await openDocs(await sampleTree());
  expect(docs.framework).toBe("mintlify");
  const problems = await docs.check();
  const found = problems.map(({ path, target, suggestion }) => `${path}: ${target} -> ${suggestion ?? "unknown"}`);
  expect(found).toEqual([
    "api/flags.mdx: /api/errors#rate-limit -> /api/errors#rate-limits",
    "cli/commands.mdx: /reference/authentication -> /api/authentication",
    "concepts/environments.mdx: ../evaluate -> ../api/evaluate",
    "concepts/rollouts.mdx: /kill-switch -> /guides/kill-switch",
    "docs.json: guides/backup -> operations/backup",
    "guides/clean-up.mdx: /images/stale-flags.png -> unknown",
    "guides/experiments.mdx: /concepts/targeting#percentage-rule -> /concepts/targeting#percentage-rules",
    "guides/experiments.mdx: /guides/single-sign-on -> unknown",
    "operations/configuration.mdx: /images/Architecture.svg -> /images/architecture.svg",
    "quickstart.mdx: /tutorials/first-release -> /guides/first-release",
    "sdks/react.mdx: /sdks/Node -> /sdks/node",
  ]);
  const readme = await readFile(join(directory, "../README.md"), "utf8");
  for (const { path, target } of problems) {
    expect(readme).toContain(`| \`${path}\` | \`${target}\``);
  }
});
