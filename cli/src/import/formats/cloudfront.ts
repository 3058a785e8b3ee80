import { createRequest, type LineParser, type LoggedRequest, type LogFormat } from "./format.ts";
import { createJsonFormat, markdownOf, numberOf, textOf, timeOf } from "./json-lines.ts";

/**
 * CloudFront standard logs: the W3C format with tabs whose columns the line `#Fields:` names.
 * Sources: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html and
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging.html.
 */
export const cloudfront: LogFormat = {
  name: "cloudfront",
  title: "CloudFront standard log",
  remembers: true,
  createParser: createCloudFrontParser,
  decode: decodePercent,
};

/** The same fields as JSON, which standard logging (v2) can write; the source is the second page above. */
export const cloudfrontJson: LogFormat = {
  ...createJsonFormat({
    name: "cloudfront-json",
    title: "CloudFront standard log, JSON",
    remembers: false,
    createReader: () => (entry, request) =>
      readFields(
        (name) => textOf(entry[name]) || (typeof entry[name] === "number" ? String(entry[name]) : ""),
        request,
      ),
  }),
  decode: decodePercent,
};

/** The columns of the legacy format, for a log that was cut and lost its header. */
const LEGACY_COLUMNS =
  "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end".split(
    " ",
  );
const HASH = 35;

function createCloudFrontParser(): LineParser {
  const request = createRequest();
  let columns = new Map(LEGACY_COLUMNS.map((name, index) => [name, index]));

  return {
    parse({ text }, start, end, onRequest) {
      if (text.charCodeAt(start) === HASH) {
        const fields = /^#Fields:\s*(.*\S)/.exec(text.slice(start, end))?.[1];
        if (fields !== undefined) columns = new Map(fields.split(/\s+/).map((name, index) => [name, index]));
        return "header";
      }
      const values = text.slice(start, end).split("\t");
      if (values.length < columns.size) return "malformed";
      Object.assign(request, EMPTY);
      const kind = readFields((name) => {
        const value = values[columns.get(name) ?? -1] ?? "";
        return value === "-" ? "" : value;
      }, request);
      if (kind === "requests") onRequest(request);
      return kind;
    },
  };
}

const EMPTY = createRequest();

function readFields(field: (name: string) => string, request: LoggedRequest): "requests" | "malformed" {
  const milliseconds = field("timestamp(ms)");
  request.time = milliseconds === "" ? readTime(field("date"), field("time")) : timeOf(milliseconds);
  const stem = field("cs-uri-stem");
  // 000 says that the reader left before there was an answer.
  request.status = numberOf(field("sc-status"));
  if (Number.isNaN(request.time) || stem === "" || Number.isNaN(request.status)) return "malformed";
  const query = field("cs-uri-query");
  request.target = query === "" ? stem : `${stem}?${query}`;
  request.method = field("cs-method");
  request.address = field("c-ip");
  request.userAgent = field("cs(User-Agent)");
  request.referrer = field("cs(Referer)");
  request.host = field("x-host-header") || field("cs(Host)");
  request.accept = markdownOf(field("sc-content-type"));
  return "requests";
}

function readTime(date: string, time: string): number {
  return /^\d{4}-\d\d-\d\d$/.test(date) && /^\d\d:\d\d:\d\d$/.test(time)
    ? Date.parse(`${date}T${time}Z`) / 1000
    : Number.NaN;
}

/** Undoes the encoding of the values. Older logs encode user agents twice. */
function decodePercent(text: string): string {
  const once = decodeOnce(text);
  return once.includes("%20") && !once.includes(" ") && !once.startsWith("/") ? decodeOnce(once) : once;
}

function decodeOnce(text: string): string {
  if (!text.includes("%")) return Buffer.from(text, "latin1").toString("utf8");
  const bytes = text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
