import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createDocent, type Docent } from "@docent/sdk";
import type { Environment } from "../connection.ts";
import { connectAsAdmin, serviceUrl } from "../connection.ts";
import { CommandError } from "../failure.ts";

/** The service that an evaluation runs on. */
export interface EvaluationService {
  url: string;
  /** For projects and keys. */
  admin: Docent;
  /** For the jobs of one project. */
  withKey(apiKey: string): Docent;
  /** Stops it when it was started for this; a running one goes on. */
  stop(): Promise<void>;
}

/** What would make the service use somebody's own data; the rest of the environment it gets as it is. */
const OWN_DATA = ["DATABASE_URL", "CLICKHOUSE_URL", "CLICKHOUSE_CLUSTER", "DOCENT_PUBLIC_URL", "DOCENT_ADMIN_TOKEN"];
const CLI = new URL("../main.ts", import.meta.url).pathname;
const STOP_MS_MAX = 25_000;

/** A service that runs already, by its URL and admin token. */
export function useService(
  options: { url?: string | undefined; data?: string | undefined },
  env: Environment,
  fetch: typeof globalThis.fetch,
): EvaluationService {
  const url = serviceUrl(options, env);
  return {
    url,
    admin: connectAsAdmin(options, env, fetch),
    withKey: (apiKey) => createDocent({ baseUrl: url, fetch, apiKey }),
    stop: () => Promise.resolve(),
  };
}

/**
 * Starts `docent serve` on a free port with a data directory of its own, so that an evaluation meets what users do and
 * touches nothing of theirs.
 */
export async function startService(options: {
  directory: string;
  model: string;
  env: Environment;
  fetch: typeof globalThis.fetch;
}): Promise<EvaluationService> {
  const { directory, model, fetch } = options;
  const data = join(directory, "data");
  await mkdir(data, { recursive: true });
  const env = Object.fromEntries(Object.entries(options.env).filter(([name]) => !OWN_DATA.includes(name)));
  const child = spawn(process.execPath, [CLI, "serve", "--port", "0", "--host", "127.0.0.1", "--data", data], {
    env: { ...env, DOCENT_MODEL: model, DOCENT_LOG_LEVEL: "warn", DOCENT_TRUSTED_PROXIES: "" },
    stdio: ["ignore", "pipe", "pipe"],
    // Ctrl-C in a terminal reaches the whole group; the service is stopped in order instead.
    detached: true,
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString("utf8")).slice(-4000);
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
    await ended;
    clearTimeout(timer);
  };
  const ready = (async (): Promise<string | undefined> => {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, address] = /^Docent is ready at (\S+)/.exec(line) ?? [];
      if (address !== undefined) return address;
    }
    return undefined;
  })();
  const url = await Promise.race([ready, ended]);
  if (typeof url !== "string") {
    await ended;
    throw new CommandError(`The service for the evaluation did not start.\n${errors.trim()}`);
  }
  // The pipe must not fill up.
  child.stdout.resume();
  return {
    url,
    admin: connectAsAdmin({ url, data }, {}, fetch),
    withKey: (apiKey) => createDocent({ baseUrl: url, fetch, apiKey }),
    stop,
  };
}
