import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GitError, runGit } from "./git.ts";
import { createRefUpdater, type RefUpdater } from "./ref-updater.ts";
import { createTestRepository, type TestRepository } from "./testing/repository.ts";

let repository: TestRepository;
let refs: RefUpdater;
let first: string;
let second: string;

beforeEach(async () => {
  repository = await createTestRepository();
  refs = createRefUpdater({ gitDir: repository.directory, idleMs: 0 });
  first = await repository.commit("main", { "a.md": "a" });
  second = await repository.commit("main", { "a.md": "b" });
});
afterEach(() => repository.remove());

async function tip(ref: string): Promise<string> {
  return (await runGit(["rev-parse", "--verify", ref], { gitDir: repository.directory })).stdout
    .toString("utf8")
    .trim();
}

test("makes and moves references, many at once", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `refs/heads/docs/${index}`);
  await Promise.all(names.map((name) => refs.update(name, first, null)));
  await Promise.all(names.map((name) => refs.update(name, second, first)));
  for (const name of names) expect(await tip(name)).toBe(second);
});

test("refuses what is not where it was expected, and goes on after that", async () => {
  await refs.update("refs/heads/new", first, null);
  const outcomes = await Promise.allSettled([
    refs.update("refs/heads/new", second, null),
    refs.update("refs/heads/none", second, first),
    refs.update("refs/heads/new/below", second, null),
    refs.update("refs/heads/gone", "1".repeat(40), null),
    refs.update("refs/heads/odd\nname", second, null),
    refs.update("refs/heads/two words", second, null),
    refs.update("refs/heads/new", second, first),
  ]);
  const reasons = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : undefined));
  expect(reasons.map((reason) => reason instanceof GitError)).toEqual([true, true, true, true, true, true, false]);
  expect(reasons[0].message).toContain("reference already exists");
  expect(await tip("refs/heads/new")).toBe(second);
});

test("says so when the reference is locked, and moves it once the lock is gone", async () => {
  const lock = join(repository.directory, "refs/heads/main.lock");
  await writeFile(lock, "");
  await expect(refs.update("refs/heads/main", first, second)).rejects.toThrow("Unable to create");
  await runGit(["update-ref", "refs/heads/other", first], { gitDir: repository.directory });
  await refs.update("refs/heads/other", second, first);
  expect(await tip("refs/heads/other")).toBe(second);
});

test("starts again after it ended for having nothing to do", async () => {
  await refs.update("refs/heads/one", first, null);
  await new Promise((resolve) => setTimeout(resolve, 0));
  const made = await repository.commit("later", { "a.md": "c" });
  await refs.update("refs/heads/one", made, first);
  expect(await tip("refs/heads/one")).toBe(made);
});

test("fails when there is no repository", async () => {
  const nowhere = createRefUpdater({ gitDir: join(repository.directory, "none"), idleMs: 0 });
  await expect(nowhere.update("refs/heads/main", first, null)).rejects.toThrow(GitError);
});
