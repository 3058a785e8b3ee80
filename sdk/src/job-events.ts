import { isTransient } from "./error.ts";
import { parseEventStream } from "./event-stream.ts";
import type { JobEvent } from "./generated.ts";
import type { Requester } from "./request.ts";

/**
 * Text of an answer while the model writes it, about four times a second. It is stored nowhere and pieces may be missing:
 * the `answer` that follows has all of it.
 */
export interface JobDelta {
  type: "delta";
  data: {
    /** UTF-16 units of this answer before the text. 0 begins anew, also when an attempt has broken off. */
    offset: number;
    text: string;
  };
}

const RECONNECT_MS_MAX = 15_000;

/** Yields each event once and in order, over as many connections as it takes; and deltas as they come, when asked to. */
export async function* followJobEvents(source: {
  requester: Requester;
  path: string;
  isArchived: () => Promise<boolean>;
  after: number;
  deltas: boolean;
  signal: AbortSignal | undefined;
}): AsyncGenerator<JobEvent | JobDelta, void, void> {
  let position = source.after;
  let retryMs = 1_000;
  let failures = 0;
  for (;;) {
    try {
      const response = await source.requester.open("GET", source.path, {
        credential: "api-key",
        signal: source.signal,
        headers: {
          Accept: "text/event-stream",
          ...(position > 0 ? { "Last-Event-ID": String(position) } : {}),
        },
      });
      if (response.body !== null) {
        for await (const streamed of parseEventStream(response.body)) {
          retryMs = streamed.retry ?? retryMs;
          failures = 0;
          if (streamed.type === "delta") {
            if (source.deltas) yield JSON.parse(streamed.data) as JobDelta;
            continue;
          }
          const event: JobEvent = JSON.parse(streamed.data);
          if (event.position <= position) continue;
          position = event.position;
          yield event;
        }
      }
      // The service ends the stream of an archived job; any other end is a restart or a proxy's limit.
      if (await source.isArchived()) return;
    } catch (error) {
      if (source.signal?.aborted === true) return;
      // A connection that breaks while its body is read is no DocentError, and as transient as one that never opened.
      const broken = error instanceof TypeError || (error instanceof Error && error.name === "AbortError");
      if (!broken && !isTransient(error)) throw error;
    }
    const backoffMs = Math.min(retryMs * 2 ** failures, RECONNECT_MS_MAX);
    failures += 1;
    try {
      await source.requester.delay(backoffMs, source.signal);
    } catch {
      return;
    }
  }
}
