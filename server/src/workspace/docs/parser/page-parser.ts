import { fork, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { unreadablePage, type PageFacts } from "../page/page-facts.ts";
import { readPageSource, type PageSource } from "./page-source.ts";

/** Parses pages away from the event loop. */
export interface PageParser {
  /** Never fails for what stands in the page. @throws the signal's reason when it is aborted before the page's turn. */
  parse(page: PageSource, signal?: AbortSignal): Promise<PageFacts>;
}

export interface PageParserOptions {
  processes?: number;
  /** A page that takes longer is reported as one that cannot be parsed, and its process is replaced. */
  timeoutMs?: number;
  /** Processes without work end after this time. */
  idleMs?: number;
  /**
   * Pages up to this size are parsed right here while no other waits. The worst texts known take time by the square
   * of their length: 60 kB of nested emphasis a minute, 2 kB of nested quotes and lists half a second.
   */
  inlineBytesMax?: number;
}

interface Task {
  page: PageSource;
  signal: AbortSignal | undefined;
  resolve(facts: PageFacts): void;
  reject(reason: unknown): void;
}

interface IdleProcess {
  child: ChildProcess;
  timer: NodeJS.Timeout;
}

const PROGRAM = fileURLToPath(new URL("./page-parser-process.ts", import.meta.url));

/** Knows nothing of this process's environment, and may fill its own memory only. */
function startProcess(): ChildProcess {
  const child = fork(PROGRAM, [], {
    env: {},
    execArgv: ["--max-old-space-size=512"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.setMaxListeners(0);
  return child;
}

/**
 * A pool of processes that start with the first page and end when idle; idle ones do not keep this process alive. They are
 * processes rather than threads because a thread that runs out of memory on 40 kB of nested quotes took the whole process
 * down with it.
 */
export function createPageParser(options: PageParserOptions = {}): PageParser {
  const processes = options.processes ?? Math.max(1, Math.min(4, availableParallelism()));
  const timeoutMs = options.timeoutMs ?? 30_000;
  const idleMs = options.idleMs ?? 30_000;
  const inlineBytesMax = options.inlineBytesMax ?? 512;
  const queue: Task[] = [];
  const idle: IdleProcess[] = [];
  let running = 0;

  const takeIdle = (): ChildProcess | undefined => {
    for (let entry = idle.pop(); entry !== undefined; entry = idle.pop()) {
      clearTimeout(entry.timer);
      if (entry.child.connected) return entry.child;
    }
    return undefined;
  };

  const rest = (child: ChildProcess): void => {
    child.unref();
    child.channel?.unref();
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((entry) => entry.child === child),
        1,
      );
      child.kill("SIGKILL");
    }, idleMs);
    timer.unref();
    idle.push({ child, timer });
  };

  const run = (task: Task): void => {
    const child = takeIdle() ?? startProcess();
    child.ref();
    child.channel?.ref();
    running += 1;
    let ended = false;
    const end = (outcome: PageFacts, usable: boolean): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      child.removeAllListeners("message").removeAllListeners("exit").removeAllListeners("error");
      // A process may still fail when it is idle or being killed; the next task then takes another one.
      child.on("error", () => {});
      running -= 1;
      if (usable) rest(child);
      else child.kill("SIGKILL");
      task.resolve(outcome);
      next();
    };
    const timer = setTimeout(() => {
      end(unreadablePage(`The page cannot be parsed within ${timeoutMs / 1000} s; simplify its markup.`), false);
    }, timeoutMs);
    child.on("message", (facts) => end(facts as PageFacts, true));
    child.on("exit", () => end(unreadablePage("The page cannot be parsed; its markup is nested too deeply."), false));
    child.on("error", (error) => end(unreadablePage(`The page cannot be parsed: ${error.message}.`), false));
    child.send(task.page, (error) => {
      if (error !== null) end(unreadablePage(`The page cannot be parsed: ${error.message}.`), false);
    });
  };

  const next = (): void => {
    while (running < processes) {
      const task = queue.shift();
      if (task === undefined) return;
      if (task.signal?.aborted === true) task.reject(task.signal.reason);
      else run(task);
    }
  };

  return {
    parse(page, signal) {
      if (page.content.length <= inlineBytesMax && queue.length === 0 && running === 0) {
        return Promise.resolve(readPageSource(page));
      }
      return new Promise((resolve, reject) => {
        queue.push({ page, signal, resolve, reject });
        next();
      });
    },
  };
}
