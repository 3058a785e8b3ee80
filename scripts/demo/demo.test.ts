import { createServer } from "node:net";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runGit } from "../../server/src/git/git.ts";
import { excerpts, parseDiff, subtractDiff } from "./diff.ts";
import { markRunning, takeDirectory } from "./directory.ts";
import { findFreePort } from "./port.ts";
import { makeSampleRepository } from "./sample.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "docent-demo-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("a taken port is passed over", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : 0;
  expect(await findFreePort(taken, "127.0.0.1")).toBeGreaterThan(taken);
  await new Promise((resolve) => server.close(resolve));
  expect(await findFreePort(taken, "127.0.0.1")).toBe(taken);
});

test("a demo takes a fresh directory, and another one while that is in use", async () => {
  const base = join(directory, "demo");
  await mkdir(base);
  await writeFile(join(base, "left-over"), "");
  const first = await takeDirectory(base);
  expect(first).toEqual({ directory: base, others: [] });
  expect(await readdir(base)).toEqual(["demo.json"]);

  const second = await takeDirectory(base);
  expect(second.directory).toBe(`${base}-2`);
  expect(second.others).toEqual([{ pid: process.pid, directory: base, url: undefined }]);
});

test("a demo whose service no longer answers is over", async () => {
  const base = join(directory, "demo");
  await mkdir(base);
  await markRunning(base, "http://127.0.0.1:9");
  expect((await takeDirectory(base)).directory).toBe(base);
});

test("the sample becomes a repository with one commit of exactly its files", async () => {
  const source = join(import.meta.dirname, "../../examples/docs");
  const target = join(directory, "sample");
  const pages = await makeSampleRepository(source, target);
  expect(pages).toBeGreaterThanOrEqual(24);
  const gitDir = join(target, ".git");
  const { stdout } = await runGit(["ls-tree", "-r", "--name-only", "main"], { gitDir });
  const committed = stdout.toString().trim().split("\n");
  const files = await readdir(source, { recursive: true, withFileTypes: true });
  expect(committed).toHaveLength(files.filter((file) => file.isFile()).length);
  expect(await readFile(join(target, "docs.json"), "utf8")).toContain('"name": "Lantern"');
});

const DIFF = `diff --git a/a.mdx b/a.mdx
index 1..2 100644
--- a/a.mdx
+++ b/a.mdx
@@ -1,2 +1,2 @@
-old
+new
 same
--- not a header
diff --git a/b.mdx b/b.mdx
new file mode 100644
--- /dev/null
+++ b/b.mdx
@@ -0,0 +1 @@
+born
`;

test("a diff is read by file, headers apart from changed lines", () => {
  expect(parseDiff(DIFF)).toEqual([
    {
      path: "a.mdx",
      lines: [
        { sign: "-", text: "old" },
        { sign: "+", text: "new" },
        { sign: "-", text: "-- not a header" },
      ],
    },
    { path: "b.mdx", lines: [{ sign: "+", text: "born" }] },
  ]);
});

test("what a follow-up added is what the earlier diff does not have", () => {
  const files = parseDiff(DIFF);
  expect(subtractDiff(files, files)).toEqual([]);
  expect(subtractDiff(files, files.slice(0, 1)).map(({ path }) => path)).toEqual(["b.mdx"]);
});

test("long lines are cut to where they differ", () => {
  const text = (end: string): string => `${"word ".repeat(30)}#${end} and the rest of the line`;
  const cut = excerpts(
    [
      { sign: "-", text: text("rate-limit") },
      { sign: "+", text: text("rate-limits") },
      { sign: "+", text: text("other") },
    ],
    60,
  );
  expect(cut.map((line) => line.text.length)).toEqual([60, 60, 60]);
  expect(cut[0]?.text).toContain("#rate-limit and");
  expect(cut[1]?.text).toContain("#rate-limits and");
});
