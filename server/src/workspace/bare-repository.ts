import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { runGit } from "../git/git.ts";

/** Makes an empty bare repository in place of whatever lies there. A process killed on the way leaves no half of one. */
export async function createBareRepository(gitDir: string): Promise<void> {
  const fresh = `${gitDir}.new`;
  await mkdir(dirname(gitDir), { recursive: true });
  await rm(fresh, { recursive: true, force: true });
  await runGit(["init", "--quiet", "--bare", "--template=", fresh]);
  await rm(gitDir, { recursive: true, force: true });
  await rename(fresh, gitDir);
}
