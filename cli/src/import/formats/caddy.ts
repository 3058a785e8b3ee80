import type { LineKind, LoggedRequest } from "./format.ts";
import {
  createJsonFormat,
  firstTextOf,
  isObject,
  markdownOf,
  numberOf,
  textOf,
  timeOf,
  type JsonObject,
} from "./json-lines.ts";

/**
 * Caddy's access log as its JSON encoder writes it by default. `ts` may have any of the encoder's numeric or zoned time formats.
 * Sources: https://caddyserver.com/docs/logging and https://caddyserver.com/docs/caddyfile/directives/log.
 */
export const caddy = createJsonFormat({
  name: "caddy",
  title: "Caddy, JSON",
  remembers: false,
  createReader: () => readEntry,
});

function readEntry(entry: JsonObject, request: LoggedRequest): LineKind {
  const logged = entry["request"];
  if (!isObject(logged)) return typeof entry["logger"] === "string" || "msg" in entry ? "other" : "malformed";
  const status = numberOf(entry["status"]);
  const uri = textOf(logged["uri"]);
  request.time = timeOf(entry["ts"]);
  if (Number.isNaN(request.time) || uri === "") return "malformed";
  // Logs of what a proxy did on the way tell of the request, too, and not of its answer.
  if (Number.isNaN(status)) return "other";
  request.status = status;
  request.target = uri;
  request.method = textOf(logged["method"]);
  request.host = textOf(logged["host"]);
  // Caddy 2.4 and earlier wrote the address with its port as `remote_addr`.
  request.address =
    textOf(logged["client_ip"]) || textOf(logged["remote_ip"]) || withoutPort(textOf(logged["remote_addr"]));
  readHeaders(logged["headers"], entry["resp_headers"], request);
  return "requests";
}

function readHeaders(sent: unknown, answered: unknown, request: LoggedRequest): void {
  const headers = isObject(sent) ? sent : {};
  request.userAgent = header(headers, "User-Agent");
  request.referrer = header(headers, "Referer");
  request.accept = markdownOf(header(headers, "Accept"), header(isObject(answered) ? answered : {}, "Content-Type"));
  request.isPrefetch = `${header(headers, "Sec-Purpose")} ${header(headers, "Purpose")}`.includes("prefetch");
  request.globalPrivacyControl = header(headers, "Sec-Gpc") === "1";
}

/** Go writes header names with each word capitalised. */
const header = (headers: JsonObject, name: string): string => firstTextOf(headers[name]);

function withoutPort(address: string): string {
  return address.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}
