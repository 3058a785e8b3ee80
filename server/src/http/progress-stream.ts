import { setTimeout as delay } from "node:timers/promises";
import { Type } from "typebox";
import { toApiError } from "./error-answers.ts";
import { oneOf } from "./schema.ts";

/** What the events of long work carry. */
export const progressEventSchema = Type.Object(
  {
    type: oneOf(["progress", "done", "failed"], { description: "`done` and `failed` are the last." }),
    done: Type.Optional(Type.Integer({ description: "Steps that are done, of `total`." })),
    total: Type.Optional(Type.Integer({ description: "Steps there are." })),
    error: Type.Optional(Type.String({ description: "Why it failed." })),
  },
  { $id: "ProgressEvent", description: "One event of work that takes a while." },
);

type ProgressEvent =
  | { type: "progress"; done: number; total: number }
  | { type: "done" }
  | { type: "failed"; error: string };

export type Work = (onProgress: (done: number, total: number) => void) => Promise<void>;

export interface ProgressStreamOptions {
  /** Milliseconds between the comments that keep the connection alive. */
  heartbeatMs: number;
  /** Ends the stream, not the work. */
  signal: AbortSignal;
  /** Told of an error that only the log may name. */
  onError: (error: unknown) => void;
}

/** Does the work and tells of it in server-sent events. Steps that nobody has read yet become one event. */
export async function* streamProgress(
  work: Work,
  { heartbeatMs, signal, onError }: ProgressStreamOptions,
): AsyncGenerator<string> {
  let latest: ProgressEvent | undefined;
  let wake = (): void => {};
  const ended = work((done, total) => {
    latest = { type: "progress", done, total };
    wake();
  }).then(
    (): ProgressEvent => ({ type: "done" }),
    (error: unknown): ProgressEvent => {
      onError(error);
      return { type: "failed", error: toApiError(error).message };
    },
  );
  const stopped = stopEvent(signal);
  for (;;) {
    const progressed = new Promise<undefined>((resolve) => (wake = () => resolve(undefined)));
    const beat = new AbortController();
    const heartbeat = delay(heartbeatMs, undefined, { signal: beat.signal }).catch(() => undefined);
    // A step that came while the last event was being read needs no waiting for.
    const end = latest === undefined ? await Promise.race([ended, stopped, progressed, heartbeat]) : undefined;
    beat.abort();
    const step: ProgressEvent | undefined = latest;
    latest = undefined;
    if (step !== undefined) yield write(step);
    else if (end === undefined) yield ": still at it\n\n";
    if (end !== undefined) {
      yield write(end);
      return;
    }
  }
}

function write(event: ProgressEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function stopEvent(signal: AbortSignal): Promise<ProgressEvent> {
  const event: ProgressEvent = { type: "failed", error: "The service stops. Ask again when it is back." };
  if (signal.aborted) return Promise.resolve(event);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(event), { once: true }));
}
