import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A repository on this machine's disk, in a folder called `manual`. */
export async function createLocalRepository(): Promise<{ path: string; parent: string; remove(): Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), "docent-dashboard-repository-"));
  const path = join(parent, "manual");
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], { cwd: path });
  await run("git", ["init", "--quiet", "--initial-branch=trunk", path]);
  await writeFile(join(path, "index.md"), "# Start\n\nWelcome.\n");
  await git("add", ".");
  await git("commit", "--quiet", "--message=Begin");
  return { path, parent, remove: () => rm(parent, { recursive: true }) };
}
