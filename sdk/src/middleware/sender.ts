import type { Pause } from "./pause.ts";
import type { PostOutcome, PostViews, SentView } from "./post-views.ts";

export interface SenderOptions {
  /** As many views are sent at once. */
  batchSize: number;
  /** A view waits for others at most so long. */
  batchDelayMs: number;
  /** As many views are kept while the service cannot be reached; more are dropped, and counted. */
  queueSize: number;
  /** A request without an answer is given up after that. */
  requestTimeoutMs: number;
}

export interface SenderDependencies {
  post: PostViews;
  pause: Pause;
  /** Takes what an operator should know; the same kind may come often. */
  report(kind: string, problem: string): void;
}

/** Views by what became of them. */
export interface ViewCounts {
  /** Counted by the service. */
  accepted: number;
  /** Refused by the service, each for a reason that sending it again would not change. */
  rejected: number;
  /** Lost here: the queue was full, the service refused the whole request, or the end came first. */
  dropped: number;
  waiting: number;
}

/** Keeps views and sends them in batches, one request at a time. Nothing here throws or rejects. */
export interface Sender {
  add(view: SentView): void;
  /** Sends one view by itself, for where no timer runs after the answer; resolves when it is sent or lost. */
  sendNow(view: SentView): Promise<void>;
  flush(): Promise<void>;
  close(deadlineMs: number): Promise<void>;
  counts(): ViewCounts;
}

const FIRST_RETRY_MS = 1000;
const RETRY_MS_MAX = 60_000;
/** A service may ask for more patience than that; it does not get more. */
const RETRY_AFTER_MS_MAX = 300_000;
/** What runs after an answer on an edge has some 30 s. */
const TRIES_NOW = 3;
const RETRY_NOW_MS_MAX = 5000;

export function createSender(dependencies: SenderDependencies, options: SenderOptions): Sender {
  const { post, pause, report } = dependencies;
  const { batchSize, batchDelayMs, queueSize, requestTimeoutMs } = options;
  const queue: SentView[] = [];
  const counts = { accepted: 0, rejected: 0, dropped: 0 };
  const sendingNow = new Set<Promise<void>>();
  const end = new AbortController();
  /** Ends the pause that the loop is in, if it is in one. */
  let interruption: AbortController | undefined;
  let loop: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  /** Views that came in, and views that left the queue, since the start. */
  let added = 0;
  let gone = 0;
  /** Up to this one, views do not wait for others. */
  let urgentUntil = 0;
  let isRetrying = false;
  let failuresInARow = 0;
  let failedAttempts = 0;
  const attemptListeners: (() => void)[] = [];

  function drop(number: number, reason: string): void {
    counts.dropped += number;
    report("dropped", `Lost so far: ${counts.dropped}. The last one because ${reason.replace(/\.$/, "")}.`);
  }

  function add(view: SentView): void {
    if (closing !== undefined) return drop(1, "they came after the end");
    if (queue.length >= queueSize) return drop(1, `${queueSize} others wait to be sent`);
    queue.push(view);
    added += 1;
    if (queue.length >= batchSize && !isRetrying) interruption?.abort();
    loop ??= run().finally(() => {
      loop = undefined;
    });
  }

  async function rest(milliseconds: number): Promise<void> {
    interruption = new AbortController();
    await pause(milliseconds, { signal: interruption.signal, holdsProcess: closing !== undefined });
    interruption = undefined;
  }

  async function run(): Promise<void> {
    while (queue.length > 0 && !end.signal.aborted) {
      const isFirstTry = failuresInARow === 0;
      if (isFirstTry && queue.length < batchSize && gone >= urgentUntil) await rest(batchDelayMs);
      if (end.signal.aborted) break;
      const batch = queue.slice(0, batchSize);
      const outcome = await post(batch, AbortSignal.any([end.signal, AbortSignal.timeout(requestTimeoutMs)]));
      if (outcome.kind === "failed") {
        failuresInARow += 1;
        failedAttempts += 1;
        report("failed", outcome.problem);
      } else {
        failuresInARow = 0;
        settle(batch.length, outcome);
        queue.splice(0, batch.length);
        gone += batch.length;
      }
      for (const listener of attemptListeners.splice(0)) listener();
      if (outcome.kind !== "failed" || end.signal.aborted) continue;
      isRetrying = true;
      await rest(retryDelayMs(failuresInARow, outcome.retryAfterMs));
      isRetrying = false;
    }
  }

  function settle(number: number, outcome: Exclude<PostOutcome, { kind: "failed" }>): void {
    if (outcome.kind === "refused") return drop(number, outcome.problem);
    counts.accepted += outcome.accepted;
    counts.rejected += outcome.rejected;
  }

  async function sendNow(view: SentView): Promise<void> {
    if (closing !== undefined) return drop(1, "they came after the end");
    if (sendingNow.size >= queueSize) return drop(1, `${queueSize} others are being sent`);
    const sending = tryNow(view).finally(() => sendingNow.delete(sending));
    sendingNow.add(sending);
    await sending;
  }

  async function tryNow(view: SentView): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const outcome = await post([view], AbortSignal.timeout(requestTimeoutMs));
      if (outcome.kind !== "failed") return settle(1, outcome);
      if (tries === TRIES_NOW) return drop(1, outcome.problem);
      const milliseconds = Math.min(retryDelayMs(tries, outcome.retryAfterMs), RETRY_NOW_MS_MAX);
      await pause(milliseconds, { signal: end.signal, holdsProcess: true });
    }
  }

  async function flush(): Promise<void> {
    const target = added;
    const failedBefore = failedAttempts;
    urgentUntil = Math.max(urgentUntil, target);
    while (gone < target && failedAttempts === failedBefore && !end.signal.aborted) {
      const attempt = new Promise<void>((resolve) => attemptListeners.push(resolve));
      interruption?.abort();
      await attempt;
    }
    await Promise.all(sendingNow);
  }

  async function closeNow(deadlineMs: number): Promise<void> {
    urgentUntil = Number.POSITIVE_INFINITY;
    interruption?.abort();
    const drained = new AbortController();
    const deadline = pause(deadlineMs, { signal: drained.signal, holdsProcess: true });
    await Promise.race([Promise.all([loop, ...sendingNow]), deadline]);
    drained.abort();
    end.abort();
    interruption?.abort();
    await loop;
    if (queue.length > 0) drop(queue.length, "the end came before the service could be reached");
    gone += queue.splice(0).length;
  }

  return {
    add,
    sendNow,
    flush,
    close(deadlineMs) {
      closing ??= Promise.resolve().then(() => closeNow(deadlineMs));
      return closing;
    },
    counts: () => ({ ...counts, waiting: queue.length + sendingNow.size }),
  };
}

/** Doubled with each failure, and somewhere in its upper half, so that many servers do not come back together. */
function retryDelayMs(failures: number, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, RETRY_AFTER_MS_MAX);
  const longest = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), RETRY_MS_MAX);
  return longest * (0.5 + Math.random() / 2);
}
