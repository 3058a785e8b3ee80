import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestRepository, type TestRepository } from "./testing/repository.ts";
import { createCatFile, type CatFile } from "./cat-file.ts";
import { GitError } from "./git.ts";

describe("reading objects", () => {
  let repository: TestRepository;
  let catFile: CatFile;
  let commit: string;
  const large = Buffer.alloc(3_000_000, "large\n");

  beforeAll(async () => {
    repository = await createTestRepository();
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`docs/${index}.md`, `# Page ${index}\n`]),
    );
    commit = await repository.commit("main", { ...files, "empty.md": "", "large.bin": large });
    catFile = createCatFile({ gitDir: repository.directory });
  });
  afterAll(async () => {
    catFile.close();
    await repository.remove();
  });

  test("resolves revisions, and says undefined for what does not exist", async () => {
    expect(await catFile.resolve("refs/heads/main")).toBe(commit);
    expect(await catFile.resolve("refs/heads/none")).toBeUndefined();
    for (const odd of ["", "a b", "x blob 3", "a\nb", "-h", "--help", "0".repeat(40), `${commit}:no`]) {
      expect(await catFile.resolve(odd)).toBeUndefined();
    }
  });

  test("sees a branch that was made after the process started", async () => {
    const made = await repository.commit("later", { "a.md": "a" });
    expect(await catFile.resolve("refs/heads/later")).toBe(made);
    expect((await catFile.info(made))?.type).toBe("commit");
  });

  test("answers many concurrent calls in their order, large, empty and missing ones among them", async () => {
    const tree = await repository.tree("main");
    const reads = [...tree].map(async ([path, entry]) => {
      const found = await catFile.read(entry.split(" ")[1] ?? "");
      if (path === "large.bin") expect(found?.bytes.equals(large)).toBe(true);
      else if (path === "empty.md") expect(found?.bytes.length).toBe(0);
      else expect(found?.bytes.toString()).toBe(`# Page ${path.replace(/\D/g, "")}\n`);
      expect(await catFile.read("1".repeat(40))).toBeUndefined();
    });
    await Promise.all(reads);
  });

  test("an unreadable object fails alone; the calls behind it are answered by a new process", async () => {
    const broken = await createTestRepository();
    const head = await broken.commit("main", { "a.md": "text a", "b.md": "text b" });
    const tree = await broken.tree(head);
    const [, a = ""] = (tree.get("a.md") ?? "").split(" ");
    const [, b = ""] = (tree.get("b.md") ?? "").split(" ");
    const path = join(broken.directory, "objects", a.slice(0, 2), a.slice(2));
    await chmod(path, 0o644);
    await writeFile(path, "not an object");
    const reader = createCatFile({ gitDir: broken.directory });
    const [first, second] = await Promise.allSettled([reader.read(a), reader.read(b)]);
    expect(first.status === "fulfilled" ? first.value : first.reason).not.toMatchObject({ type: "blob" });
    expect(second).toMatchObject({ status: "fulfilled", value: { type: "blob" } });
    reader.close();
    await broken.remove();
  });

  test("fails clearly without a repository and after its end", async () => {
    const gone = await createTestRepository();
    await rm(gone.directory, { recursive: true });
    const reader = createCatFile({ gitDir: gone.directory });
    await expect(reader.read(commit)).rejects.toThrow(GitError);
    reader.close();
    await expect(reader.read(commit)).rejects.toThrow(/closed/);
    await gone.remove();
  });
});
