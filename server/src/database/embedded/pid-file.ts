import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { link, readFile, readlink, realpath, rename, rm } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { promisify } from "node:util";

/** What a running server says of itself in `postmaster.pid`; the lines' meanings: PostgreSQL's `utils/pidfile.h`. */
export interface PidFile {
  pid: number;
  /** Absolute. Undefined in the first moments of a start. */
  socketDirectory: string | undefined;
  text: string;
}

export async function readPidFile(data: string): Promise<PidFile | undefined> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  const socket = lines[4] ?? "";
  return {
    pid: Number(lines[0]),
    socketDirectory: socket === "" ? undefined : isAbsolute(socket) ? socket : resolve(data, socket),
    text,
  };
}

/** Whether the process is a PostgreSQL server on this data directory, rather than one that got a dead server's number. */
export async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === "linux") {
    // A server enters its data directory before it writes the file. A zombie has no directory.
    const [directory, expected] = await Promise.all([
      readlink(`/proc/${pid}/cwd`).catch(() => undefined),
      realpath(data).catch(() => undefined),
    ]);
    return directory !== undefined && directory === expected;
  }
  const listing = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
  return listing.stdout.includes("postgres");
}

/** Whether a process has this number, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Takes away the lock files of a dead server whose process number now belongs to another process: after a container or
 * machine restarted, the numbers are the same small ones, and PostgreSQL then refuses to start. (The files of a server whose
 * number is free, PostgreSQL removes by itself.) A file is renamed first and looked at again, so that the file of a server
 * that another process started in the meantime goes back.
 */
export async function removeStaleLocks(data: string, socketDirectory: string): Promise<void> {
  await removeStaleLock(join(data, "postmaster.pid"), data);
  await removeStaleLock(join(socketDirectory, ".s.PGSQL.5432.lock"), data);
}

async function removeStaleLock(path: string, data: string): Promise<void> {
  const before = await readFile(path, "utf8").catch(() => undefined);
  if (before === undefined) return;
  const pid = Number.parseInt(before, 10);
  if (!isAlive(pid) || (await isServerOf(pid, data))) return;
  const aside = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const taken = await readFile(aside, "utf8");
  if (taken !== before) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}
