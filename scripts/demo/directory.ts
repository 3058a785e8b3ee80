import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, isServerOf, readPidFile } from "../../server/src/database/embedded/pid-file.ts";

/** A demo that is up: who runs it and where it answers. */
export interface RunningDemo {
  pid: number;
  directory: string;
  url: string | undefined;
}

const MARK = "demo.json";

/**
 * An empty data directory: `base`, or when another demo uses that one, `base-2` and so on. What an earlier demo left in
 * it is removed, its database stopped first.
 * @returns the directory, marked as this process's, and the demos that are in the way.
 */
export async function takeDirectory(base: string): Promise<{ directory: string; others: RunningDemo[] }> {
  const others: RunningDemo[] = [];
  for (let number = 1; ; number += 1) {
    const directory = number === 1 ? base : `${base}-${number}`;
    const running = await findRunning(directory);
    if (running !== undefined) {
      others.push(running);
      continue;
    }
    await stopLeftoverDatabase(join(directory, "postgres", "data"));
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    await markRunning(directory);
    return { directory, others };
  }
}

/** Says in the directory who uses it, so that a second demo takes another one. */
export async function markRunning(directory: string, url?: string): Promise<void> {
  await writeFile(join(directory, MARK), JSON.stringify({ pid: process.pid, url }));
}

async function findRunning(directory: string): Promise<RunningDemo | undefined> {
  const text = await readFile(join(directory, MARK), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { pid, url }: { pid: number; url?: string } = JSON.parse(text);
  const answers =
    url !== undefined &&
    (await fetch(`${url}/healthz`)
      .then((response) => response.ok)
      .catch(() => false));
  return answers || (url === undefined && isAlive(pid)) ? { pid, directory, url } : undefined;
}

/** A demo that was killed leaves its database running; without this, removing its files would leave it so for good. */
async function stopLeftoverDatabase(data: string): Promise<void> {
  const pidFile = await readPidFile(data);
  if (pidFile === undefined || !(await isServerOf(pidFile.pid, data))) return;
  process.kill(pidFile.pid, "SIGINT");
  for (let waitedMs = 0; waitedMs < 10_000 && isAlive(pidFile.pid); waitedMs += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
