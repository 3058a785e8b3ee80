import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "./start-error.ts";

export interface DataCredentials {
  /** Manages projects and keys; in `<data>/admin.token`. */
  adminToken: string;
  /** What stored credentials are encrypted with; in `<data>/secret`. Its UTF-8 bytes are the key. */
  secret: string;
}

/**
 * Reads the data directory's admin token and secret, and makes those that are absent, mode 0600. Of several processes that do
 * this at once, all get the same ones. A file that others may read is closed and reported rather than refused: some file
 * systems (volumes of containers) know no permissions, and the service shall start on them too.
 * @param given what the environment says; nothing is read or written for it.
 * @throws StartError when a file cannot be read, made, or is no token.
 */
export async function ensureCredentials(options: {
  data: string;
  given: { adminToken: string | null; secret: string | null };
  log: (line: string) => void;
}): Promise<DataCredentials> {
  const ensure = (name: string, prefix: string): Promise<string> =>
    ensureFile(join(options.data, name), prefix, options.log);
  return {
    adminToken: options.given.adminToken ?? (await ensure("admin.token", "docent_admin_")),
    secret: options.given.secret ?? (await ensure("secret", "")),
  };
}

const CHARACTERS_MIN = 32;

async function ensureFile(path: string, prefix: string, log: (line: string) => void): Promise<string> {
  try {
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    const content = (await readIfPresent(path)) ?? (await create(path, prefix));
    await closeToOthers(path, log);
    const token = content.trim();
    if (token.length >= CHARACTERS_MIN && /^[\x21-\x7e]+$/.test(token)) return token;
  } catch (error) {
    throw new StartError(`${path} cannot be read or made: ${String(error)}.`, { cause: error });
  }
  throw new StartError(
    `${path} does not hold what Docent wrote there (at least ${CHARACTERS_MIN} visible characters). Restore it from a backup; ` +
      `or remove it to get a new one, which the old tokens and stored credentials do not fit.`,
  );
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** The file appears with its whole content and is never replaced: the first of several processes wins, the others read it. */
async function create(path: string, prefix: string): Promise<string> {
  const content = `${prefix}${randomBytes(32).toString("base64url")}\n`;
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporary, path).catch(async (error: unknown) => {
      if (codeOf(error) === "EEXIST") return;
      // A file system without hard links.
      await writeFile(path, content, { flag: "wx", mode: 0o600, flush: true });
    });
    return await readFile(path, "utf8");
  } finally {
    await rm(temporary, { force: true });
  }
}

async function closeToOthers(path: string, log: (line: string) => void): Promise<void> {
  const mode = (await stat(path)).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  await chmod(path, 0o600).catch(() => {});
  const closed = ((await stat(path)).mode & 0o077) === 0;
  log(
    `${path} could be read by other users (mode ${mode.toString(8)})${closed ? "; it is closed to them now" : ", and its file system does not let it be closed"}. ` +
      `If somebody may have read it, remove it and start again for a new one.`,
  );
}
