import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Runs `task` with a throw-away folder for new objects, and the environment in which git reads from it and from the
 * mirror: a thousand searches leave no garbage in the mirror.
 */
export async function withScratchObjects<T>(
  mirrorDirectory: string,
  task: (directory: string, env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "docent-scratch-"));
  try {
    return await task(directory, {
      GIT_OBJECT_DIRECTORY: directory,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: resolve(mirrorDirectory, "objects"),
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
