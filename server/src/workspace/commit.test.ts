import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCatFile, type CatFile } from "../git/cat-file.ts";
import { runGit } from "../git/git.ts";
import { createObjectWriter } from "../git/object-writer.ts";
import { createTestRepository, type TestFile, type TestRepository } from "../git/testing/repository.ts";
import { writeCommit } from "./commit.ts";
import type { FileChange } from "./tree.ts";

let repository: TestRepository;
let catFile: CatFile;
beforeAll(async () => {
  repository = await createTestRepository();
  catFile = createCatFile({ gitDir: repository.directory });
});
afterAll(async () => {
  catFile.close();
  await repository.remove();
});

const commitOn = (parent: string, changes: readonly FileChange[], gitDir = repository.directory, reader = catFile) => {
  const format = parent.length === 64 ? "sha256" : "sha1";
  const objects = createObjectWriter({ directory: join(gitDir, "objects"), format, durable: true });
  const author = { name: "A <b>\n", email: "a@example.com" };
  return writeCommit({ catFile: reader, objects }, { parent, changes, message: "m\n", author, date: new Date(5000) });
};
const change = (path: string, content: string | null): FileChange => ({
  path,
  mode: "100644",
  content: content === null ? null : Buffer.from(content),
});

test("gives the tree that git itself gives for the same changes", async () => {
  // Few names, so that files meet folders; two of them sort differently as a file and as a folder.
  const name = fc.constantFrom("a", "a-b", "a.b", "a0", "b", "é", "\u{1f600}", "z");
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  const free = (paths: readonly string[]) =>
    [...new Set(paths)].filter((one, _index, all) => !all.some((other) => other.startsWith(`${one}/`)));
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { minLength: 1, maxLength: 8 }),
      fc.array(path, { maxLength: 6 }),
      async (old, fresh) => {
        run += 1;
        const before = free(old);
        const after = free(fresh);
        // Whatever stands in the way of a new file is deleted with it.
        const inTheWay = before.filter((one) =>
          after.some((other) => one.startsWith(`${other}/`) || other.startsWith(`${one}/`)),
        );
        const parent = await repository.commit(`p${run}`, Object.fromEntries(before.map((one) => [one, one])));
        const files: Record<string, TestFile> = {};
        for (const one of [...inTheWay, ...before.filter((_, index) => index % 3 === 0)]) files[one] = null;
        for (const one of after) files[one] = `new ${one}`;
        const changes = Object.entries(files).map(([one, content]) =>
          change(one, typeof content === "string" ? content : null),
        );
        const expected = await repository.commit(`p${run}`, files);
        const made = await commitOn(parent, changes);
        expect(await catFile.resolve(`${made}^{tree}`)).toBe(await catFile.resolve(`${expected}^{tree}`));
      },
    ),
    { numRuns: 40 },
  );
  await repository.git("fsck", "--strict", "--no-dangling", "--no-progress");
});

test("names that are not UTF-8 stay as they are", async () => {
  const oid = (await runGit(["hash-object", "-w", "--stdin"], { gitDir: repository.directory, stdin: "x" })).stdout
    .toString()
    .trim();
  const record = Buffer.concat([Buffer.from(`100644 blob ${oid}\tcaf`), Buffer.from([0xe9]), Buffer.from("\0")]);
  const tree = (await runGit(["mktree", "-z"], { gitDir: repository.directory, stdin: record })).stdout
    .toString()
    .trim();
  const parent = await repository.git("-c", "user.name=a", "-c", "user.email=b", "commit-tree", "-m", "m", tree);
  const made = await commitOn(parent, [change("new.md", "n")]);
  const listed = await runGit(["ls-tree", "-z", "--name-only", made], { gitDir: repository.directory });
  expect(listed.stdout).toEqual(Buffer.concat([Buffer.from("caf"), Buffer.from([0xe9]), Buffer.from("\0new.md\0")]));
});

test("the last file may go, and a commit may change nothing", async () => {
  const parent = await repository.commit("single", { "a/b.md": "x" });
  expect(await repository.tree(await commitOn(parent, [change("a/b.md", null)]))).toEqual(new Map());
  expect(await repository.tree(await commitOn(parent, [change("none.md", null)]))).toEqual(
    await repository.tree(parent),
  );
});

test("refuses what is no path, a submodule, and a file that is a folder too", async () => {
  const parent = await repository.commit("paths", { file: "x" });
  for (const path of ["", "/a", "a//b", "a/", "../a", "a/./b", "a\0"]) {
    await expect(commitOn(parent, [change(path, "x")])).rejects.toThrow(TypeError);
  }
  await expect(commitOn(parent, [{ path: "m", mode: "160000", content: Buffer.from("x") }])).rejects.toThrow(
    /submodule/,
  );
  await expect(commitOn(parent, [change("a", "x"), change("a/b", "x")])).rejects.toThrow(/file and a folder/);
  await expect(commitOn(parent, [change("file/b", "x")])).rejects.toThrow(/needs a folder/);
  await expect(commitOn("4".repeat(40), [change("a", "x")])).rejects.toThrow(/missing/);
});

test("works in a repository of SHA-256 ids", async () => {
  const gitDir = await mkdtemp(join(tmpdir(), "docent-sha256-"));
  await runGit(["init", "--quiet", "--bare", "--object-format=sha256", gitDir]);
  const stdin = "commit refs/heads/main\ncommitter a <a> 1 +0000\ndata 0\nM 100644 inline a.md\ndata 1\na\n";
  await runGit(["fast-import", "--quiet"], { gitDir, stdin });
  const reader = createCatFile({ gitDir });
  const made = await commitOn((await reader.resolve("refs/heads/main")) ?? "", [change("d/b.md", "b")], gitDir, reader);
  expect((await runGit(["ls-tree", "-r", "--name-only", made], { gitDir })).stdout.toString()).toBe("a.md\nd/b.md\n");
  await runGit(["fsck", "--strict"], { gitDir });
  reader.close();
  await rm(gitDir, { recursive: true });
});
