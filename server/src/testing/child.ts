import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** A process of ours that may end at any moment. */
export interface Child {
  readonly pid: number;
  /** What it has written to stdout and stderr, its end at most. */
  output(): string;
  send(line: string): void;
  /** The first line of the given descriptor that passes; rejects when the process ends before. */
  line(descriptor: 1 | 3, passes: (line: string) => boolean): Promise<string>;
  onLine(descriptor: 1 | 3, listener: (line: string) => void): void;
  kill(signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT"): void;
  /** How it ended. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  hasEnded(): boolean;
}

const OUTPUT_CHARACTERS_MAX = 20_000;

/** Starts one of Docent's programs under this Node, with nothing of our own environment but where programs are found. */
export function startChild(args: readonly string[], env: Readonly<Record<string, string>>): Child {
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "pipe", "pipe"] });
  // Our own end takes it along, whatever state it is in.
  const killAtExit = (): void => void child.kill("SIGKILL");
  process.once("exit", killAtExit);
  let output = "";
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString("utf8")).slice(-OUTPUT_CHARACTERS_MAX);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  child.stdin?.on("error", () => {});
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once("close", (code, signal) => {
      process.removeListener("exit", killAtExit);
      resolve({ code, signal });
    });
  });
  const listeners = { 1: new Set<(line: string) => void>(), 3: new Set<(line: string) => void>() };
  for (const descriptor of [1, 3] as const) {
    const lines = createInterface({ input: child.stdio[descriptor] as Readable });
    lines.on("line", (line) => {
      for (const listener of listeners[descriptor]) listener(line);
    });
  }
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;

  return {
    pid: child.pid ?? 0,
    output: () => output,
    send: (line) => void child.stdin?.write(`${line}\n`),
    onLine: (descriptor, listener) => void listeners[descriptor].add(listener),
    line: (descriptor, passes) =>
      new Promise((resolve, reject) => {
        const listener = (line: string): void => {
          if (!passes(line)) return;
          listeners[descriptor].delete(listener);
          resolve(line);
        };
        listeners[descriptor].add(listener);
        void ended.then(({ code, signal }) =>
          reject(new Error(`The process ended (${signal ?? code}) before it said what was waited for:\n${output}`)),
        );
      }),
    kill: (signal) => void child.kill(signal),
    ended,
    hasEnded,
  };
}
