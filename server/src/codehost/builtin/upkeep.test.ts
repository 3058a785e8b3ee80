import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runGit } from "../../git/git.ts";
import { createRepositories } from "./repositories.ts";
import { createUpkeep } from "./upkeep.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "docent-upkeep-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A branch of one commit with this many files, all loose. */
async function fill(gitDir: string, files: number): Promise<void> {
  const lines = Array.from({ length: files }, (_, i) => `M 100644 inline f${i}\ndata ${String(i).length}\n${i}\n`);
  const stdin = `commit refs/heads/main\ncommitter D <d@localhost> 0 +0000\ndata 0\n${lines.join("")}done\n`;
  await runGit(["fast-import", "--quiet", "--done"], { gitDir, stdin, config: { "fastimport.unpackLimit": "100000" } });
}

async function looseObjects(gitDir: string): Promise<number> {
  const { stdout } = await runGit(["count-objects"], { gitDir });
  return Number.parseInt(stdout.toString(), 10);
}

test("packs a repository of many loose objects, leaves a small one alone, and keeps what no branch has yet", async () => {
  const repositories = createRepositories(directory);
  const [busy, quiet] = [await repositories.create("busy"), await repositories.create("quiet")];
  await fill(busy, 8_000);
  await fill(quiet, 10);
  const unpublished = (await runGit(["hash-object", "-w", "--stdin"], { gitDir: busy, stdin: "not yet" })).stdout;
  const warnings: string[] = [];
  const upkeep = createUpkeep({
    repositoriesDirectory: directory,
    log: { warn: (_context, message) => void warnings.push(message) },
  });
  await upkeep.tick();
  await upkeep.stop();
  expect(warnings).toEqual([]);
  expect(await looseObjects(busy)).toBe(1);
  expect(await looseObjects(quiet)).toBe(12);
  const kept = await runGit(["cat-file", "blob", unpublished.toString().trim()], { gitDir: busy });
  expect(kept.stdout.toString()).toBe("not yet");
});
