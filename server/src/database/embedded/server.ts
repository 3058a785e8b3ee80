import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Account } from "./account.ts";
import { passDirectory, PROGRAM_ENVIRONMENT } from "./program.ts";
import { isServerOf, readPidFile } from "./pid-file.ts";

/**
 * Small and durable: `fsync` and `synchronous_commit` stay on. Passed at each start rather than written to a file, so that a newer
 * Docent's settings reach an older data directory. Meanings: postgresql.org/docs/18/runtime-config.html.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "100",
  shared_buffers: "64MB",
  // Neither replicas nor parallel queries: rows are found by their keys.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_replication_slots: "0",
  max_logical_replication_workers: "0",
  max_parallel_workers_per_gather: "0",
  autovacuum_max_workers: "2",
  io_method: "sync",
  jit: "off",
  min_wal_size: "16MB",
  max_wal_size: "256MB",
  wal_recycle: "on",
  log_checkpoints: "off",
  log_min_messages: "warning",
  // What a client did wrong, the client is told; the log is for the server.
  log_min_error_statement: "panic",
  log_line_prefix: "%m [%p] ",
  log_timezone: "UTC",
  timezone: "UTC",
};

const LOG_BYTES_MAX = 10 * 1024 * 1024;

export interface ServerOptions {
  directory: string;
  account: Account | undefined;
  postgres: string;
  socketDirectory: string;
  settings: Readonly<Record<string, string>>;
}

export interface StartedServer {
  pid: number | undefined;
  /** Undefined while it runs. */
  failure(): string | undefined;
  /** What it wrote to its log since it was started. */
  readLog(): Promise<string>;
}

/** Starts PostgreSQL in a process group of its own (a Ctrl-C in the terminal does not reach it) and does not wait for it. */
export async function startServer(options: ServerOptions): Promise<StartedServer> {
  const logPath = join(options.directory, "postgresql.log");
  const logBytes = (await stat(logPath).catch(() => undefined))?.size ?? 0;
  if (logBytes > LOG_BYTES_MAX) await rename(logPath, `${logPath}.old`);
  const offset = logBytes > LOG_BYTES_MAX ? 0 : logBytes;

  const data = join(options.directory, "data");
  // Relative to the data directory where it can be: that has no limit of length and needs no way there from outside.
  const socketDirectory = options.socketDirectory === data ? "." : options.socketDirectory;
  const settings = { ...SETTINGS, unix_socket_directories: socketDirectory, ...options.settings };
  const log = openSync(logPath, "a", 0o600);
  const passed = passDirectory(data, options.account);
  try {
    const child = spawn(
      options.postgres,
      ["-D", passed.argument, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      {
        ...options.account,
        cwd: "/",
        env: PROGRAM_ENVIRONMENT,
        stdio: ["ignore", log, log, ...passed.descriptors],
        detached: true,
      },
    );
    let failure: string | undefined;
    child.on("error", (error) => (failure = error.message));
    child.on("exit", (code, signal) => (failure = signal ?? `exit code ${code}`));
    child.unref();
    return { pid: child.pid, failure: () => failure, readLog: () => readFrom(logPath, offset) };
  } finally {
    closeSync(log);
    passed.close();
  }
}

async function readFrom(path: string, offset: number): Promise<string> {
  const handle = await open(path, "r");
  try {
    const buffer = Buffer.alloc(64 * 1024);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

const POLL_MS = 20;
/** Of the 20 s in which the whole service stops. */
const FAST_SHUTDOWN_MS = 8_000;
const IMMEDIATE_SHUTDOWN_MS = 2_000;

/**
 * Stops the server on a data directory and waits until it is gone: open transactions are rolled back, clients disconnected
 * and everything written; after 8 s without waiting for the writing, which the next start makes up from the log.
 */
export async function stopServer(data: string): Promise<void> {
  for (const [signal, timeoutMs] of [
    ["SIGINT", FAST_SHUTDOWN_MS],
    ["SIGQUIT", IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    const server = await readPidFile(data);
    if (server === undefined || !(await isServerOf(server.pid, data))) return;
    process.kill(server.pid, signal);
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      // An orphan that nobody reaps keeps its number for ever, but not its directory.
      if (!(await isServerOf(server.pid, data))) return;
      await delay(POLL_MS);
    }
  }
}
