import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createSecret, type Secret } from "../../../access/secret.ts";
import { createTestDatabase, type TestDatabase } from "../../../database/testing/postgres.ts";
import { runGit } from "../../../git/git.ts";
import { createBuiltinHost, type BuiltinHost } from "../builtin.ts";
import { createImportRows } from "../import-rows.ts";
import { commitStarter } from "../starter.ts";

const run = promisify(execFile);

/** git as a person runs it, but with nobody's settings. Gives what it prints, both streams together on failure. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await run("git", args, {
    cwd,
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.com",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.com",
    },
  });
  return stdout.trim();
}

/** Writes the files and commits them. Gives the commit. */
export async function commitFiles(
  cwd: string,
  files: Record<string, string | Buffer>,
  message: string,
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), content);
  }
  await git(cwd, "add", "--all");
  await git(cwd, "commit", "--quiet", "--allow-empty", "-m", message);
  return await git(cwd, "rev-parse", "HEAD");
}

export interface TestHost {
  host: BuiltinHost;
  database: TestDatabase;
  secret: Secret;
  /** A scratch directory, removed at the end. */
  directory: string;
  clock: () => Date;
  /** A ready repository with the starter commit, and a clone of it to work in. */
  addRepository(name: string): Promise<{ gitDir: string; clone: string }>;
  close(): Promise<void>;
}

/** The built-in host on a database and a directory of its own. */
export async function createTestHost(publicUrl = "http://docent.test"): Promise<TestHost> {
  const database = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), "docent-test-host-"));
  const secret = createSecret(randomBytes(32));
  const clock = () => new Date();
  const host = createBuiltinHost({
    database: database.database,
    repositoriesDirectory: join(directory, "repositories"),
    publicUrl,
    secret,
    clock,
  });
  const importRows = createImportRows(database.database, secret, clock);
  return {
    host,
    database,
    secret,
    directory,
    clock,
    async addRepository(name) {
      const gitDir = (await host.repositories?.create(name)) ?? "";
      await commitStarter(gitDir, name, clock());
      await importRows.add(name, null, "main", database.database);
      const clone = join(directory, `clone-${name}`);
      await runGit(["clone", "--quiet", gitDir, clone]);
      return { gitDir, clone };
    },
    async close() {
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
