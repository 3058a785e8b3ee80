import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { StartError } from "../start-error.ts";
import { chooseAccount } from "./embedded/account.ts";
import { prepareBinaries } from "./embedded/binaries.ts";
import { ensureCluster, USER } from "./embedded/cluster.ts";
import { isServerOf, readPidFile, removeStaleLocks } from "./embedded/pid-file.ts";
import { startServer, stopServer, type StartedServer } from "./embedded/server.ts";
import { ensureSocketDirectory } from "./embedded/socket.ts";

export interface EmbeddedPostgres {
  /** How to connect: over a Unix socket, with no password; the permissions of its directory keep others out. */
  connection: pg.PoolConfig;
  /** The same as a URL, for another process of this machine. */
  url: string;
  /** "started" by this call, or "adopted": it was already running. */
  origin: "started" | "adopted";
  /** The server's process number. */
  pid: number;
  /**
   * Stops the server for everyone, within 10 s. Only the owner of the data directory may do this (see ownership.ts);
   * a server that nobody stops goes on, and the next start adopts it.
   */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** PostgreSQL's own directory, such as `<data>/postgres`; made when it is absent. */
  directory: string;
  log: (line: string) => void;
  /** More server settings, such as `max_connections`. */
  settings?: Readonly<Record<string, string>>;
  /** Do not wait for the disk while the data directory is made; for tests. */
  unsafeFast?: boolean;
}

/** Recovery after a power cut replays at most 256 MB of log: seconds. */
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 20;

/**
 * Starts PostgreSQL from the npm package's binaries on `<directory>/data`, or connects to the one that already runs there: the
 * server is a process of its own and outlives this one. Processes that call this at the same moment end up on one server.
 * @throws StartError with what to do, when it cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = await chooseAccount(join(options.directory, "data"));
  const directory = await ensureDirectory(options.directory, account !== undefined);
  const data = join(directory, "data");
  let attempt: { server: StartedServer; socketDirectory: string } | undefined;
  const deadline = performance.now() + START_TIMEOUT_MS;

  for (;;) {
    const running = await readPidFile(data);
    const host = running?.socketDirectory ?? attempt?.socketDirectory ?? data;
    const answer = await ask(host);
    if (answer.state === "ready") {
      const pid = (await readPidFile(data))?.pid ?? 0;
      return describe(host, data, pid, attempt !== undefined && attempt.server.pid === pid ? "started" : "adopted");
    }
    if (performance.now() > deadline) {
      throw new StartError(
        `The control database in ${directory} does not answer after ${START_TIMEOUT_MS / 1000} s: ${answer.reason}. ` +
          `Its log: ${join(directory, "postgresql.log")}.`,
      );
    }
    if (attempt?.server.failure() !== undefined) {
      await explainFailure(attempt.server, directory);
      attempt = undefined;
    }
    // Its own start, somebody else's, or a server on its way out: each shows itself soon.
    if (attempt !== undefined || (running !== undefined && (await isServerOf(running.pid, data)))) {
      await delay(POLL_MS);
      continue;
    }
    const binaries = await prepareBinaries({ directory, account, log: options.log });
    await ensureCluster({ directory, account, binaries, unsafeFast: options.unsafeFast ?? false });
    const socketDirectory = await ensureSocketDirectory(data, account);
    await removeStaleLocks(data, socketDirectory);
    const settings = options.settings ?? {};
    attempt = {
      server: await startServer({ directory, account, postgres: binaries.postgres, socketDirectory, settings }),
      socketDirectory,
    };
  }
}

/**
 * The real path of PostgreSQL's directory. As root it stays root's: what root does in a directory of another user, that user could
 * lead elsewhere with a symbolic link.
 */
async function ensureDirectory(directory: string, asRoot: boolean): Promise<string> {
  // Other systems than Linux need a way in from outside (see passDirectory).
  const mode = asRoot && process.platform !== "linux" ? 0o711 : 0o700;
  try {
    await mkdir(directory, { recursive: true, mode });
    return await realpath(directory);
  } catch (error) {
    throw new StartError(`The control database's directory ${directory} cannot be made or used: ${String(error)}.`, {
      cause: error,
    });
  }
}

type Answer = { state: "ready" } | { state: "waiting"; reason: string };

async function ask(host: string): Promise<Answer> {
  const client = new pg.Client({ ...connectionTo(host, "postgres"), connectionTimeoutMillis: 2_000 });
  // Without a listener, a server that goes away at this moment would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    await createDatabase(client);
    return { state: "ready" };
  } catch (error) {
    return { state: "waiting", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const found = await client.query("select from pg_database where datname = $1", [USER]);
  if (found.rowCount === 1) return;
  await client.query(`create database ${USER}`).catch((error: unknown) => {
    // Another process was faster.
    if (!(error instanceof pg.DatabaseError && (error.code === "42P04" || error.code === "23505"))) throw error;
  });
}

/** Returns when another try can succeed: the failure was that somebody else's server was coming up or going down. */
async function explainFailure(server: StartedServer, directory: string): Promise<void> {
  const log = await server.readLog();
  if (/lock file ".*" already exists|pre-existing shared memory block/.test(log)) {
    await delay(POLL_MS);
    return;
  }
  const lines = log
    .trim()
    .split("\n")
    .filter((line) => /(FATAL|PANIC|ERROR|HINT|DETAIL):(?!.*is starting up)/.test(line));
  throw new StartError(
    `The control database in ${directory} did not start (${server.failure()}): ` +
      `${lines.slice(-3).join(" ").slice(0, 1000) || log.trim().slice(-500) || "it wrote nothing to its log"}. ` +
      `Put that right, or set DATABASE_URL to a PostgreSQL of your own. The whole log: ${join(directory, "postgresql.log")}.`,
  );
}

function connectionTo(host: string, database: string): pg.PoolConfig {
  // `ssl` is said, since PGSSLMODE in the environment would decide otherwise.
  return { host, port: 5432, user: USER, database, ssl: false };
}

function describe(host: string, data: string, pid: number, origin: EmbeddedPostgres["origin"]): EmbeddedPostgres {
  return {
    connection: connectionTo(host, USER),
    url: `postgresql://${USER}@localhost/${USER}?host=${encodeURIComponent(host)}`,
    origin,
    pid,
    stop: () => stopServer(data),
  };
}
