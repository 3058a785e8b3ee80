import { randomBytes } from "node:crypto";
import { chown, mkdir, open, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../../start-error.ts";
import type { Account } from "./account.ts";
import type { PostgresBinaries } from "./binaries.ts";
import { passDirectory, runProgram } from "./program.ts";

/** PostgreSQL's user and database; whoever can open the socket is this user. */
export const USER = "docent";

const TEMPORARY_PREFIX = "initialising-";
/** `initdb` takes 1.3 s; what is older was left by a process that died. */
const TEMPORARY_AGE_MS = 10 * 60_000;

export interface ClusterOptions {
  directory: string;
  account: Account | undefined;
  binaries: PostgresBinaries;
  /** Leave out the flush to disk at the end; for tests. */
  unsafeFast?: boolean;
}

/**
 * Makes sure that `<directory>/data` is a PostgreSQL data directory of the binaries' version. A new one is made beside it and
 * renamed, so that it is whole or absent; of several processes that do this at once, one wins and all go on.
 * @throws StartError when it belongs to another version, is something else, or cannot be made.
 */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const data = join(options.directory, "data");
  const version = await readVersion(data);
  if (version === undefined) {
    await removeLeftovers(options.directory);
    await initialise(options, data);
  } else if (version !== options.binaries.major) {
    throw new StartError(
      `${data} was made by PostgreSQL ${version}, and this Docent brings PostgreSQL ${options.binaries.major}, which cannot ` +
        `open it. Start the Docent version that made it, or dump it with that version's PostgreSQL and load it into one that ` +
        `DATABASE_URL names.`,
    );
  }
}

/** The major version; undefined when there is no data directory yet. */
async function readVersion(data: string): Promise<string | undefined> {
  try {
    return (await readFile(join(data, "PG_VERSION"), "utf8")).trim();
  } catch (error) {
    const entries = await readdir(data).catch(() => []);
    if (entries.length === 0) return undefined;
    throw new StartError(
      `${data} is neither empty nor a PostgreSQL data directory (PG_VERSION cannot be read). Restore it from a backup, or move ` +
        `it away to begin with an empty one.`,
      { cause: error },
    );
  }
}

async function initialise(options: ClusterOptions, data: string): Promise<void> {
  const temporary = join(options.directory, TEMPORARY_PREFIX + randomBytes(6).toString("hex"));
  try {
    await mkdir(temporary, { mode: 0o700 });
    if (options.account !== undefined) await chown(temporary, options.account.uid, options.account.gid);
    await runInitdb(options, temporary);
    await rename(temporary, data);
    await syncDirectory(options.directory);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if ((await readVersion(data)) !== undefined) return;
    if (error instanceof StartError) throw error;
    throw new StartError(`The control database could not be made in ${options.directory}: ${String(error)}.`, {
      cause: error,
    });
  }
}

async function runInitdb(options: ClusterOptions, target: string): Promise<void> {
  const passed = passDirectory(target, options.account);
  try {
    const result = await runProgram(
      options.binaries.initdb,
      [
        `--pgdata=${passed.argument}`,
        `--username=${USER}`,
        "--encoding=UTF8",
        // PostgreSQL's own C.UTF-8: the same order on every system, whatever locales that has.
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        // Who may connect is decided by the permissions of the directory that holds the socket.
        "--auth-local=trust",
        "--auth-host=reject",
        // Smaller than the usual 16 MB: an empty installation takes 30 MB rather than 54.
        "--wal-segsize=4",
        "--no-instructions",
        ...(options.unsafeFast === true ? ["--no-sync"] : []),
      ],
      { account: options.account, descriptors: passed.descriptors },
    );
    if (result.exitCode === 0) return;
    throw new StartError(
      `The control database could not be made in ${options.directory}: ${errorLines(result.stderr)}. ` +
        `Put that right (disk space, permissions), or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  } finally {
    passed.close();
  }
}

/** What went wrong stands between lines on what was being done and on what was removed again. */
function errorLines(stderr: string): string {
  const lines = stderr.trim().split("\n");
  const errors = lines.filter((line) => /(FATAL|PANIC|ERROR|DETAIL|HINT|error):/.test(line));
  return (errors.length > 0 ? errors : lines).slice(-3).join(" ").slice(0, 1000);
}

async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue;
    const entry = await stat(join(directory, name)).catch(() => undefined);
    if (entry !== undefined && Date.now() - entry.mtimeMs > TEMPORARY_AGE_MS) {
      await rm(join(directory, name), { recursive: true, force: true });
    }
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
