import type { LineKind, LoggedRequest } from "./format.ts";
import { createJsonFormat, firstTextOf, isObject, numberOf, textOf, timeOf, type JsonObject } from "./json-lines.ts";

/** The entries of one request are written within its time. */
const RECENT_REQUESTS = 50_000;
/** What the entries of a log drain may come from: builds and outgoing requests are none of a reader's. */
const SOURCES_OF_REQUESTS = new Set(["static", "edge", "lambda", "redirect", "firewall"]);

/**
 * A Vercel log drain, as JSON lines or as the arrays that its JSON type sends. Each request of a reader has an entry with `proxy`; one
 * that ran several functions has several, which share `requestId`, and the first one counts.
 * Source: https://vercel.com/docs/drains/reference/logs.
 */
export const vercel = createJsonFormat({
  name: "vercel",
  title: "Vercel log drain",
  remembers: true,
  createReader: createEntryReader,
});

function createEntryReader() {
  const isRepeated = createRecentRequests();
  return (entry: JsonObject, request: LoggedRequest): LineKind => {
    const kind = readEntry(entry, request);
    return kind === "requests" && isRepeated(textOf(entry["requestId"])) ? "other" : kind;
  };
}

function readEntry(entry: JsonObject, request: LoggedRequest): LineKind {
  const source = textOf(entry["source"]);
  if (source === "" || !("deploymentId" in entry)) return "malformed";
  const proxy = entry["proxy"];
  if (!SOURCES_OF_REQUESTS.has(source) || !isObject(proxy)) return "other";
  request.time = timeOf(proxy["timestamp"] ?? entry["timestamp"]);
  request.target = textOf(proxy["path"]);
  // -1 says that nothing was answered: the page was made again in the background.
  request.status = Math.max(0, numberOf(proxy["statusCode"] ?? entry["statusCode"]));
  if (Number.isNaN(request.time) || request.target === "" || Number.isNaN(request.status)) return "malformed";
  request.method = textOf(proxy["method"]);
  request.address = textOf(proxy["clientIp"]);
  request.userAgent = firstTextOf(proxy["userAgent"]);
  request.referrer = textOf(proxy["referer"]);
  request.host = textOf(proxy["host"]) || textOf(entry["host"]);
  return "requests";
}

/** Tells whether an entry's request has had one before, as long as it is among the latest requests. */
function createRecentRequests(): (requestId: string) => boolean {
  const recent = new Set<string>();
  return (requestId) => {
    if (requestId === "") return false;
    if (recent.has(requestId)) return true;
    recent.add(requestId);
    if (recent.size > RECENT_REQUESTS) {
      const [oldest = ""] = recent;
      recent.delete(oldest);
    }
    return false;
  };
}
