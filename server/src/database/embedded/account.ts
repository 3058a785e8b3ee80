import { readFile, stat } from "node:fs/promises";

/** The system user that PostgreSQL runs as when Docent itself runs as root, which PostgreSQL refuses to do. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * Whom to run PostgreSQL as; undefined when it is whoever runs this process. As root it is the owner of an existing data
 * directory (so that `sudo` does not lock out the user who began it), else `nobody`, which exists everywhere.
 */
export async function chooseAccount(data: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(data).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return await nobody();
}

async function nobody(): Promise<Account> {
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const [, uid, gid] = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(users) ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}
