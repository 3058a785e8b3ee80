/** The headers of an answer that is a stream of server-sent events. */
export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Proxies like nginx would hold the events back until a buffer is full.
  "x-accel-buffering": "no",
  connection: "close",
} as const;
