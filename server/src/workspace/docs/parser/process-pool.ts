import { fork, type ChildProcess } from "node:child_process";

/** Asks a program in processes of its own. */
export interface ProcessPool<Question, Answer> {
  /** Never fails for what stands in the question. @throws the signal's reason when it is aborted before the question's turn. */
  ask(question: Question, signal?: AbortSignal): Promise<Answer | Unanswered>;
  /** True when a question would have to wait or run beside another. */
  isBusy(): boolean;
}

/** Why there is no answer: it took too long, the process died of it, or it could not be sent. */
export type Unanswered = { unanswered: "time" } | { unanswered: "died" } | { unanswered: "error"; message: string };

export interface ProcessPoolOptions {
  program: string;
  processes: number;
  /** A question that takes longer is given up, and its process is replaced. */
  timeoutMs: number;
  /** Processes without work end after this time. */
  idleMs: number;
}

interface Task<Question, Answer> {
  question: Question;
  signal: AbortSignal | undefined;
  resolve(answer: Answer | Unanswered): void;
  reject(reason: unknown): void;
}

interface IdleProcess {
  child: ChildProcess;
  timer: NodeJS.Timeout;
}

/** Knows nothing of this process's environment, and may fill its own memory only. */
function startProcess(program: string): ChildProcess {
  const child = fork(program, [], {
    env: {},
    execArgv: ["--max-old-space-size=512"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.setMaxListeners(0);
  return child;
}

/**
 * A pool of processes that start with the first question and end when idle; idle ones do not keep this process alive. They are
 * processes rather than threads because a thread that runs out of memory on 40 kB of nested quotes took the whole process
 * down with it.
 */
export function createProcessPool<Question extends object, Answer>(
  options: ProcessPoolOptions,
): ProcessPool<Question, Answer> {
  const { program, processes, timeoutMs, idleMs } = options;
  const queue: Task<Question, Answer>[] = [];
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

  const run = (task: Task<Question, Answer>): void => {
    const child = takeIdle() ?? startProcess(program);
    child.ref();
    child.channel?.ref();
    running += 1;
    let ended = false;
    const end = (outcome: Answer | Unanswered, usable: boolean): void => {
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
    const timer = setTimeout(() => end({ unanswered: "time" }, false), timeoutMs);
    child.on("message", (answer) => end(answer as Answer, true));
    child.on("exit", () => end({ unanswered: "died" }, false));
    child.on("error", (error) => end({ unanswered: "error", message: error.message }, false));
    child.send(task.question, (error) => {
      if (error !== null) end({ unanswered: "error", message: error.message }, false);
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
    ask(question, signal) {
      return new Promise((resolve, reject) => {
        queue.push({ question, signal, resolve, reject });
        next();
      });
    },
    isBusy: () => queue.length > 0 || running > 0,
  };
}
