import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stopServer } from "../server/src/database/embedded/server.ts";
import type { Bench } from "./measurement.ts";

const START_MS_MAX = 60_000;
const STOP_MS_MAX = 25_000;

export interface Service {
  url: string;
  adminToken: string;
  /** Of `docent serve`. */
  pid: number;
  /** Everything it keeps. */
  data: string;
  stop(): Promise<void>;
}

/**
 * Starts the real `docent serve` with its embedded PostgreSQL, its hourly limits off, on a free port.
 * @param settings more environment variables; `DOCENT_MODEL` among them.
 * @throws Error with the end of its log when it does not come up.
 */
export async function startService(
  bench: Bench,
  settings: Readonly<Record<string, string>>,
  data: string = join(bench.directory, "data"),
): Promise<Service> {
  const logFile = join(bench.directory, "service.log");
  const log = createWriteStream(logFile, { flags: "a" });
  const profile =
    bench.profileDirectory === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${bench.profileDirectory}`];
  const args = ["serve", "--host", "127.0.0.1", "--port", "0", "--data", data];
  const child = spawn(process.execPath, [...profile, join(bench.root, "cli/src/main.ts"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...ownEnvironment(), ...settings },
  });
  child.stderr.pipe(log);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;

  async function stop(): Promise<void> {
    if (!hasEnded()) child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
    await ended;
    clearTimeout(timer);
    // A service that was killed leaves its database running.
    await stopServer(join(data, "postgres", "data"));
  }
  bench.processes.onStop(stop);

  const ready = new Promise<string | undefined>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const url = /^Docent is ready at (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    void ended.then(() => resolve(undefined));
    setTimeout(() => resolve(undefined), START_MS_MAX).unref();
  });
  const url = await ready;
  if (url === undefined || child.pid === undefined) {
    await stop();
    const lines = (await readFile(logFile, "utf8")).trim().split("\n").slice(-15);
    throw new Error(`The service did not start. The end of its log:\n${lines.join("\n")}`);
  }
  const adminToken = (await readFile(join(data, "admin.token"), "utf8")).trim();
  return { url, adminToken, pid: child.pid, data, stop };
}

/** Settings for a model that answers at a URL. */
export function scriptedModelSettings(url: string): Record<string, string> {
  return { DOCENT_MODEL: "openai-compatible:scripted", DOCENT_MODEL_BASE_URL: url };
}

/** The settings of a real installation must not leak into a measurement. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("DOCENT_") && !["DATABASE_URL", "CLICKHOUSE_URL"].includes(name),
  );
  return {
    ...Object.fromEntries(kept),
    DOCENT_CREATES_PER_HOUR: "0",
    DOCENT_MESSAGES_PER_HOUR: "0",
    DOCENT_LOG_LEVEL: "warn",
  };
}
