import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface RunningService {
  url: string;
  adminToken: string;
  /** Resolves when the process has ended, by itself or by `stop`. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

const START_MS_MAX = 60_000;
const STOP_MS_MAX = 25_000;

/**
 * Starts `docent serve` as a process of its own and waits until it is ready. Its log goes to `service.log` in the data
 * directory.
 * @throws Error with the log's last lines when it does not come up.
 */
export async function startService(
  root: string,
  options: { directory: string; port: number; signal: AbortSignal },
): Promise<RunningService> {
  const url = `http://127.0.0.1:${options.port}`;
  const logFile = join(options.directory, "service.log");
  const log = createWriteStream(logFile);
  const child = spawn(
    process.execPath,
    [
      join(root, "cli/src/main.ts"),
      "serve",
      "--host",
      "127.0.0.1",
      "--port",
      String(options.port),
      "--data",
      options.directory,
    ],
    // In a process group of its own: Ctrl-C reaches the demo, and the demo stops the service.
    { stdio: ["ignore", "pipe", "pipe"], detached: true, env: serviceEnvironment(process.env) },
  );
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const killAtExit = (): void => void child.kill("SIGTERM");
  process.once("exit", killAtExit);
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      process.removeListener("exit", killAtExit);
      log.end(resolve);
    });
  });

  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  async function stop(): Promise<void> {
    if (!hasEnded()) child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
    await ended;
    clearTimeout(timer);
  }

  for (let waitedMs = 0; waitedMs < START_MS_MAX && !hasEnded() && !options.signal.aborted; waitedMs += 100) {
    const ready = await fetch(`${url}/readyz`)
      .then((response) => response.ok)
      .catch(() => false);
    if (ready) {
      const adminToken = (await readFile(join(options.directory, "admin.token"), "utf8")).trim();
      return { url, adminToken, ended, stop };
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  options.signal.throwIfAborted();
  const lines = (await readFile(logFile, "utf8")).trim().split("\n").slice(-15);
  throw new Error(`The service did not start. The end of ${logFile}:\n${lines.join("\n")}`);
}

/** The demo has a data directory of its own: a database, a token or an address of a real installation must not leak into it. */
function serviceEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(
    ([name]) => !name.startsWith("DOCENT_") && !["DATABASE_URL", "CLICKHOUSE_URL"].includes(name),
  );
  const model = Object.entries(env).filter(([name]) => /^DOCENT_(MODEL|LOG)/.test(name));
  return Object.fromEntries([...own, ...model]);
}
