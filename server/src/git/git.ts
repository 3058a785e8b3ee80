import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { devNull } from "node:os";

/**
 * Configuration that every git process gets through its environment, so that nothing of the machine's or of a
 * repository's own settings can run a program, ask a question or reach out. Names and meanings: git-config(1).
 */
const ISOLATED_CONFIG: Readonly<Record<string, string>> = {
  "core.hooksPath": devNull,
  "core.fsmonitor": "false",
  "core.quotePath": "false",
  "core.autocrlf": "false",
  "core.logAllRefUpdates": "false",
  "credential.helper": "",
  "fetch.recurseSubmodules": "false",
  "submodule.recurse": "false",
  "filter.lfs.smudge": "cat",
  "filter.lfs.process": "",
  "filter.lfs.required": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "http.followRedirects": "initial",
  "init.defaultBranch": "main",
  "protocol.allow": "never",
  "protocol.file.allow": "always",
  "protocol.http.allow": "always",
  "protocol.https.allow": "always",
  "safe.directory": "*",
};

export interface GitOptions {
  /** Repository directory (bare); becomes `--git-dir`. */
  gitDir?: string;
  stdin?: string | Uint8Array;
  /** More configuration for this one process, by key. Travels in the environment, never in the arguments. */
  config?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Stop and throw when more than this many bytes arrive on stdout. Default 256 MiB. */
  stdoutBytesMax?: number;
  /** Exit codes that are answers rather than failures. Default `[0]`. */
  okExitCodes?: readonly number[];
}

export interface GitResult {
  stdout: Buffer;
  stderr: string;
  exitCode: number;
}

/** A git process that exited with a code that was not expected, or could not start. `stderr` holds no credential. */
export class GitError extends Error {
  readonly command: string;
  readonly exitCode: number | null;
  readonly stderr: string;
  constructor(command: string, exitCode: number | null, stderr: string) {
    super(
      `git ${command} failed${exitCode === null ? "" : ` with exit code ${exitCode}`}: ${stderr.trim().slice(0, 2000)}`,
    );
    this.name = "GitError";
    this.command = command;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

function environment(options: GitOptions): Record<string, string> {
  const config = Object.entries({ ...ISOLATED_CONFIG, ...options.config });
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: devNull,
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_CONFIG_COUNT: String(config.length),
    ...options.env,
  };
  config.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return env;
}

/** Starts a git process with the isolated configuration. The caller owns its streams and its end. */
export function spawnGit(args: readonly string[], options: GitOptions = {}): ChildProcessWithoutNullStreams {
  const full = options.gitDir === undefined ? args : [`--git-dir=${options.gitDir}`, ...args];
  return spawn("git", full, {
    env: environment(options),
    stdio: ["pipe", "pipe", "pipe"],
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

/**
 * Runs one git command to its end.
 * @throws GitError when it exits with a code outside `okExitCodes`, cannot start, or prints too much.
 */
export function runGit(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const command = args[0] ?? "";
  const stdoutBytesMax = options.stdoutBytesMax ?? 256 * 1024 * 1024;
  return new Promise((resolve, reject) => {
    const child = spawnGit(args, options);
    const stdout: Buffer[] = [];
    let stdoutBytes = 0;
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes > stdoutBytesMax) {
        child.kill("SIGKILL");
        reject(new GitError(command, null, `more than ${stdoutBytesMax} bytes of output`));
      } else {
        stdout.push(chunk);
      }
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < 64 * 1024) stderr += chunk.toString("utf8");
    });
    // git may exit before it has read all of its input; the exit code tells.
    child.stdin.on("error", () => {});
    child.on("error", (error) => reject(new GitError(command, null, error.message)));
    child.on("close", (exitCode) => {
      if (exitCode !== null && (options.okExitCodes ?? [0]).includes(exitCode)) {
        resolve({ stdout: Buffer.concat(stdout), stderr, exitCode });
      } else {
        reject(new GitError(command, exitCode, stderr));
      }
    });
    child.stdin.end(options.stdin);
  });
}
