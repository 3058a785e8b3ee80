import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Git holds the lock of a reference for milliseconds; one this old has no owner. */
export const STALE_LOCK_MS = 10_000;

/**
 * Removes git's lock files that a killed process left in a bare repository: they would make every later command on
 * that reference fail. Only those older than `ageMs`, so that a running process keeps its own. Returns how many went.
 */
export async function removeStaleLocks(gitDir: string, options: { ageMs: number; now: number }): Promise<number> {
  let removed = 0;
  const visit = async (directory: string, deep: boolean): Promise<void> => {
    const found = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const item of found) {
      const path = join(directory, item.name);
      if (item.isDirectory() && deep) await visit(path, true);
      else if (item.isFile() && item.name.endsWith(".lock")) {
        const age = await stat(path).then(
          (stats) => options.now - stats.mtimeMs,
          () => -1,
        );
        if (age < options.ageMs) continue;
        await rm(path, { force: true });
        removed += 1;
      }
    }
  };
  await visit(gitDir, false);
  await visit(join(gitDir, "refs"), true);
  return removed;
}
