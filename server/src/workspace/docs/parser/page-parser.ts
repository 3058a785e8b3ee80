import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { unreadablePage, type PageFacts } from "../page/page-facts.ts";
import { readPageSource, type PageSource } from "./page-source.ts";

/** Parses pages away from the event loop. */
export interface PageParser {
  /** @throws the signal's reason when it is aborted before the page's turn came. */
  parse(page: PageSource, signal?: AbortSignal): Promise<PageFacts>;
}

export interface PageParserOptions {
  threads?: number;
  /** A page that takes longer is reported as one that cannot be parsed, and its thread is replaced. */
  timeoutMs?: number;
  /** Threads without work end after this time. */
  idleMs?: number;
  /**
   * Pages up to this size are parsed on the calling thread while no other waits. The worst text known is quadratic:
   * 60 kB of nested emphasis takes a minute, 2 kB less than 0.1 s.
   */
  inlineBytesMax?: number;
}

interface Task {
  page: PageSource;
  signal: AbortSignal | undefined;
  resolve(facts: PageFacts): void;
  reject(reason: unknown): void;
}

/** A pool of threads that start with the first page and end when idle; idle ones do not keep the process alive. */
export function createPageParser(options: PageParserOptions = {}): PageParser {
  const threads = options.threads ?? Math.max(1, Math.min(4, availableParallelism()));
  const timeoutMs = options.timeoutMs ?? 20_000;
  const idleMs = options.idleMs ?? 30_000;
  const inlineBytesMax = options.inlineBytesMax ?? 2048;
  const queue: Task[] = [];
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = [];
  let running = 0;

  const startWorker = (): Worker =>
    new Worker(new URL("./page-parser-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 4 },
    });

  const rest = (worker: Worker): void => {
    worker.unref();
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((entry) => entry.worker === worker),
        1,
      );
      void worker.terminate();
    }, idleMs);
    timer.unref();
    idle.push({ worker, timer });
  };

  const run = (task: Task): void => {
    const rested = idle.pop();
    if (rested !== undefined) clearTimeout(rested.timer);
    const worker = rested?.worker ?? startWorker();
    worker.ref();
    running += 1;
    const end = (outcome: PageFacts, usable: boolean): void => {
      clearTimeout(timer);
      // By name: without one, Node's own listeners go too, and the thread never hears of a page again.
      for (const name of ["message", "error", "exit"]) worker.removeAllListeners(name);
      running -= 1;
      worker.on("error", () => {});
      if (usable) rest(worker);
      else void worker.terminate();
      task.resolve(outcome);
      next();
    };
    const timer = setTimeout(() => {
      end(
        unreadablePage(`The page cannot be parsed within ${timeoutMs / 1000} s; its markup is nested too deeply.`),
        false,
      );
    }, timeoutMs);
    worker.once("message", (facts: PageFacts) => end(facts, true));
    worker.once("error", (error) => end(unreadablePage(`The page cannot be parsed: ${error.message}`), false));
    worker.once("exit", () => end(unreadablePage("The page cannot be parsed."), false));
    worker.postMessage(task.page, []);
  };

  const next = (): void => {
    while (running < threads) {
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
