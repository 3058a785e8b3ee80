import { createHash } from "node:crypto";
import { chown, lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../../start-error.ts";
import type { Account } from "./account.ts";

/** A socket's path has at most 107 bytes on Linux and 103 on macOS. */
const PATH_BYTES_MAX = 103;

/**
 * The directory of the server's socket: its data directory, which only its user can enter, or where that has too long a path, one under /tmp that is
 * named after it and that only the server's user can enter. (Not `$TMPDIR`: two processes may have different ones.)
 * @throws StartError when somebody else has made a directory of that name.
 */
export async function ensureSocketDirectory(data: string, account: Account | undefined): Promise<string> {
  if (Buffer.byteLength(join(data, ".s.PGSQL.5432")) <= PATH_BYTES_MAX) return data;
  const path = `/tmp/docent-${createHash("sha256").update(data).digest("hex").slice(0, 20)}`;
  try {
    await mkdir(path, { mode: 0o700 });
    if (account !== undefined) await chown(path, account.uid, account.gid);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const entry = await lstat(path);
  const ownUid = account?.uid ?? process.getuid?.();
  if (entry.isDirectory() && (entry.mode & 0o077) === 0 && (entry.uid === ownUid || entry.uid === 0)) return path;
  throw new StartError(
    `${path}, where the control database's socket goes, belongs to somebody else or is open to others. Remove it, or use ` +
      `a data directory with a shorter path.`,
  );
}
