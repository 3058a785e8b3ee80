import { execFile } from "node:child_process";
import type { Environment } from "../connection.ts";

/** Git that reads no configuration of this machine, asks nobody, follows no hook, and makes the same commit each time. */
const ISOLATION: Readonly<Record<string, string>> = {
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "Docent evaluation",
  GIT_AUTHOR_EMAIL: "evaluation@localhost",
  GIT_AUTHOR_DATE: "2000-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Docent evaluation",
  GIT_COMMITTER_EMAIL: "evaluation@localhost",
  GIT_COMMITTER_DATE: "2000-01-01T00:00:00Z",
};
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

export interface GitOptions {
  gitDir?: string;
  input?: string;
  /** Configuration for this call alone; it never stands among the arguments. */
  config?: Readonly<Record<string, string>>;
  environment?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** Runs git and returns what it printed, as UTF-8. Throws an Error with what git said on its error stream. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<string>;

export function createGit(processEnvironment: Environment): Git {
  return (args, { gitDir, input, config = {}, environment = {}, signal } = {}) => {
    const entries = Object.entries({ "core.hooksPath": "/dev/null", ...config });
    const env = {
      ...(processEnvironment["PATH"] === undefined ? {} : { PATH: processEnvironment["PATH"] }),
      ...ISOLATION,
      ...environment,
      GIT_CONFIG_COUNT: String(entries.length),
      ...Object.fromEntries(
        entries.flatMap(([key, value], index) => [
          [`GIT_CONFIG_KEY_${index}`, key],
          [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
      ),
    };
    return new Promise((resolve, reject) => {
      const child = execFile(
        "git",
        gitDir === undefined ? [...args] : ["--git-dir", gitDir, ...args],
        { env, encoding: "utf8", maxBuffer: OUTPUT_BYTES_MAX, ...(signal === undefined ? {} : { signal }) },
        (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(`git ${args[0] ?? ""} failed: ${stderr.trim() || error.message}`));
        },
      );
      child.stdin?.on("error", () => {});
      child.stdin?.end(input ?? "");
    });
  };
}
