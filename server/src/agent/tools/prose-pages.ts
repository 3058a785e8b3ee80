import { fork, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { editProse, ProsePage } from "./prose.ts";

type ProseEdit = ReturnType<typeof editProse>;

const PROGRAM = fileURLToPath(new URL("./prose-process.ts", import.meta.url));
const PROCESSES_MAX = Math.max(1, Math.min(4, availableParallelism()));
const PAGES_A_PROCESS = 16;
const PAGE_MS_MAX = 20_000;

/**
 * `editProse` for many pages, in processes of their own: parsing takes tens of milliseconds for 10 kB of dense Markdown, longer for
 * hostile text, and must neither hold up the event loop nor take this process's memory. A page that takes too long or
 * breaks its process is refused.
 */
export async function editProsePages(pages: readonly ProsePage[], signal: AbortSignal): Promise<ProseEdit[]> {
  const edits: ProseEdit[] = [];
  const waiting = pages.map((page, index) => ({ page, index }));
  const work = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        signal.throwIfAborted();
        child ??= startProcess();
        const edit = await askProcess(child, next.page, signal);
        edits[next.index] = edit ?? {
          refused: "The page takes too long to parse, so prose and code cannot be told apart.",
        };
        if (edit !== undefined) continue;
        child.kill("SIGKILL");
        child = undefined;
      }
    } finally {
      child?.kill("SIGKILL");
    }
  };
  const processes = Math.min(PROCESSES_MAX, Math.ceil(pages.length / PAGES_A_PROCESS));
  await Promise.all(Array.from({ length: processes }, work));
  signal.throwIfAborted();
  return edits;
}

/** Knows nothing of this process's environment, and may fill its own memory only. */
function startProcess(): ChildProcess {
  return fork(PROGRAM, [], {
    env: {},
    execArgv: ["--max-old-space-size=512"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

/** The process's answer; undefined when it gave none in time, died, or the signal aborted. */
function askProcess(child: ChildProcess, page: ProsePage, signal: AbortSignal): Promise<ProseEdit | undefined> {
  return new Promise((resolve) => {
    const end = (edit: ProseEdit | undefined): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      child.removeAllListeners("message").removeAllListeners("exit").removeAllListeners("error");
      child.on("error", () => {});
      resolve(edit);
    };
    const stop = (): void => end(undefined);
    const timer = setTimeout(stop, PAGE_MS_MAX);
    signal.addEventListener("abort", stop, { once: true });
    child.on("message", (message) => end(message as ProseEdit));
    child.on("exit", stop);
    child.on("error", stop);
    child.send(page, (error) => {
      if (error !== null) stop();
    });
  });
}
