import { createJsonFormat, isObject, markdownOf, numberOf, textOf, timeOf } from "./json-lines.ts";

/**
 * Cloudflare Logpush, dataset `http_requests`, as JSON lines, with any of the timestamp formats `unixnano`, `unix` and `rfc3339`.
 * Sources: https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/ and
 * https://developers.cloudflare.com/logs/logpush/logpush-job/log-output-options/.
 */
export const cloudflare = createJsonFormat({
  name: "cloudflare",
  title: "Cloudflare Logpush, http_requests",
  remembers: false,
  createReader: () => (entry, request) => {
    request.target = textOf(entry["ClientRequestURI"]) || textOf(entry["ClientRequestPath"]);
    request.time = timeOf(entry["EdgeStartTimestamp"] ?? entry["EdgeEndTimestamp"]);
    request.status = numberOf(entry["EdgeResponseStatus"]);
    if (request.target === "" || Number.isNaN(request.time) || Number.isNaN(request.status)) return "malformed";
    // A request that a Worker made on its own, not a reader's.
    if (entry["WorkerSubrequest"] === true) return "other";
    request.method = textOf(entry["ClientRequestMethod"]);
    request.address = textOf(entry["ClientIP"]);
    request.userAgent = textOf(entry["ClientRequestUserAgent"]);
    request.referrer = textOf(entry["ClientRequestReferer"]);
    request.host = textOf(entry["ClientRequestHost"]);
    // Headers that the job was told to log have lower-case names.
    const headers = isObject(entry["RequestHeaders"]) ? entry["RequestHeaders"] : {};
    request.accept = markdownOf(textOf(headers["accept"]), textOf(entry["EdgeResponseContentType"]));
    request.isPrefetch = `${textOf(headers["sec-purpose"])} ${textOf(headers["purpose"])}`.includes("prefetch");
    request.globalPrivacyControl = textOf(headers["sec-gpc"]) === "1";
    return "requests";
  },
});
