import { isTransient } from "./error.ts";
import { parseEventStream } from "./event-stream.ts";
import type { JobEvent } from "./generated.ts";
import type { Requester } from "./request.ts";

const RECONNECT_MS_MAX = 15_000;

/** Yields each event once and in order, over as many connections as it takes. */
export async function* followJobEvents(source: {
  requester: Requester;
  path: string;
  isArchived: () => Promise<boolean>;
  after: number;
  signal: AbortSignal | undefined;
}): AsyncGenerator<JobEvent, void, void> {
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
          // Text of an answer that is still being written; the answer itself follows.
          if (streamed.type === "delta") continue;
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
