/**
 * How long a provider asks to be left alone, in milliseconds: `retry-after-ms` (OpenAI), `retry-after` in seconds or as
 * a date (RFC 9110, section 10.2.3), or Google's RetryInfo in the error itself. Undefined when it does not say.
 */
export function readRetryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  data?: unknown,
): number | undefined {
  const ms = Number(headers?.["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const after = headers?.["retry-after"];
  if (after !== undefined) {
    const seconds = Number(after);
    if (after.trim() !== "" && Number.isFinite(seconds)) return Math.max(seconds, 0) * 1000;
    // By the sender's own clock, where it tells that.
    const from = Date.parse(headers?.["date"] ?? "");
    const until = Date.parse(after) - (Number.isNaN(from) ? Date.now() : from);
    if (Number.isFinite(until)) return Math.max(until, 0);
  }
  // https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto
  const delay = /retryDelay\W{1,8}(\d+(?:\.\d+)?)s/.exec(data === undefined ? "" : JSON.stringify(data))?.[1];
  return delay === undefined ? undefined : Number(delay) * 1000;
}
