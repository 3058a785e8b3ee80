import type { MarkdownTree } from "./tree.ts";

/** The worst texts take time by the square of their length or worse: 20 kB of nested lists took 10 s. */
const READ_MS_MAX = 3_000;

/** Starting a thread takes longer than most texts, so one stays. */
let worker: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads Markdown that others wrote on a thread of its own, one text after the other, so that no text can freeze the page.
 * @returns null when it took too long; it is then to be shown as it was written.
 */
export function readOnThread(text: string, isMdx: boolean, signal: AbortSignal): Promise<MarkdownTree | null> {
  const reading = last.then(async () => {
    signal.throwIfAborted();
    return await read(text, isMdx);
  });
  last = reading.catch(() => {});
  return reading;
}

function read(text: string, isMdx: boolean): Promise<MarkdownTree | null> {
  worker ??= new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" });
  const current = worker;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      current.terminate();
      worker = undefined;
    };
    const timer = setTimeout(() => {
      stop();
      resolve(null);
    }, READ_MS_MAX);
    current.addEventListener("message", onMessage);
    current.addEventListener("error", onError);
    function end(): void {
      clearTimeout(timer);
      current.removeEventListener("message", onMessage);
      current.removeEventListener("error", onError);
    }
    function onMessage({ data }: MessageEvent<MarkdownTree>): void {
      end();
      resolve(data);
    }
    function onError({ message }: ErrorEvent): void {
      end();
      stop();
      reject(new Error(message === "" ? "The reader of Markdown could not be loaded." : message));
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    current.postMessage({ text, isMdx });
  });
}
