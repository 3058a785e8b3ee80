import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Account } from "./account.ts";

/** Nothing of Docent's own environment reaches PostgreSQL: `PG*` variables would change what it does. */
export const PROGRAM_ENVIRONMENT: Readonly<Record<string, string>> = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

export interface ProgramResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/**
 * How a PostgreSQL program is told of a directory. As root on Linux the directory may lie where the program's own user
 * cannot go (under /root, or in a data directory of mode 0700), so root opens it and hands it over as descriptor 3:
 * `/proc/self/fd/3` leads straight to it, and every process that PostgreSQL forks inherits it. Tried with `initdb`,
 * the server, a configuration reload and crash recovery.
 */
export function passDirectory(directory: string, account: Account | undefined): PassedDirectory {
  if (account === undefined || process.platform !== "linux") {
    return { argument: directory, descriptors: [], close: () => {} };
  }
  const descriptor = openSync(directory, "r");
  return { argument: "/proc/self/fd/3", descriptors: [descriptor], close: () => closeSync(descriptor) };
}

export interface PassedDirectory {
  argument: string;
  /** To be appended to the three standard streams. */
  descriptors: number[];
  close(): void;
}

/** Runs a PostgreSQL program to its end. A program that cannot be started rejects with the system's error. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: { account: Account | undefined; descriptors?: readonly number[] },
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...options.account,
      // The present directory may be one that the program's user cannot read.
      cwd: "/",
      env: PROGRAM_ENVIRONMENT,
      stdio: ["ignore", "pipe", "pipe", ...(options.descriptors ?? [])],
    });
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}
