import { createRequest, type LineParser, type LogFormat } from "./format.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const BACKSLASH = 92;
const ZERO = 48;

/**
 * The combined format of nginx and Apache, also without referrer and user agent (Common Log Format) and with the virtual host in
 * front. What follows the user agent is passed over. Sources: https://httpd.apache.org/docs/2.4/logs.html#accesslog,
 * https://httpd.apache.org/docs/2.4/mod/mod_log_config.html (`vhost_combined` is Debian's) and
 * https://nginx.org/en/docs/http/ngx_http_log_module.html.
 */
export const combined: LogFormat = {
  name: "combined",
  title: "nginx or Apache, combined",
  remembers: false,
  createParser: createCombinedParser,
  decode: decodeEscapes,
};

function createCombinedParser(): LineParser {
  const request = createRequest();
  const readTime = createTimeReader();

  return {
    parse({ text }, start, end, onRequest) {
      const bracket = text.indexOf(" [", start);
      if (bracket === -1 || bracket >= end) return "malformed";
      const firstSpace = text.indexOf(" ", start);
      // `address - user [`, or `host:port address - user [`.
      let addressStart = start;
      let addressEnd = firstSpace;
      request.host = "";
      if (text.charCodeAt(firstSpace + 1) !== 45 || text.charCodeAt(firstSpace + 2) !== 32) {
        const secondSpace = text.indexOf(" ", firstSpace + 1);
        if (secondSpace < bracket && looksLikeAddress(text, firstSpace + 1, secondSpace)) {
          request.host = withoutPort(text.slice(start, firstSpace));
          addressStart = firstSpace + 1;
          addressEnd = secondSpace;
        }
      }
      const time = readTime(text, bracket + 2);
      if (Number.isNaN(time) || !text.startsWith('] "', bracket + 28)) return "malformed";

      const requestStart = bracket + 31;
      const requestEnd = closingQuote(text, requestStart, end);
      if (requestEnd === -1) return "malformed";
      const statusStart = requestEnd + 2;
      const status = readStatus(text, statusStart);
      if (status === -1 || statusStart + 3 > end) return "malformed";

      request.referrer = "";
      request.userAgent = "";
      const referrerQuote = text.indexOf(' "', statusStart + 3);
      if (referrerQuote !== -1 && referrerQuote < end) {
        const referrerEnd = closingQuote(text, referrerQuote + 2, end);
        if (referrerEnd === -1 || !text.startsWith('" "', referrerEnd)) return "malformed";
        const agentEnd = closingQuote(text, referrerEnd + 3, end);
        if (agentEnd === -1) return "malformed";
        request.referrer = present(text, referrerQuote + 2, referrerEnd);
        request.userAgent = present(text, referrerEnd + 3, agentEnd);
      } else if (!/^ (?:\d+|-)\s*$/.test(text.slice(statusStart + 3, end))) {
        return "malformed";
      }

      const methodEnd = text.indexOf(" ", requestStart);
      if (methodEnd === -1 || methodEnd >= requestEnd) {
        // What was sent was no HTTP request; the server noted it as it was.
        request.method = "";
        request.target = "";
      } else {
        request.method = text.slice(requestStart, methodEnd);
        const protocol = text.lastIndexOf(" ", requestEnd - 1);
        request.target = text.slice(methodEnd + 1, protocol > methodEnd ? protocol : requestEnd);
      }
      request.time = time;
      request.status = status;
      request.address = present(text, addressStart, addressEnd);
      onRequest(request);
      return "requests";
    },
  };
}

/** The quote that ends a text; nginx writes one inside as `\x22`, Apache as `\"`. */
function closingQuote(text: string, from: number, end: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1 && quote < end; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
  }
  return -1;
}

function present(text: string, start: number, end: number): string {
  return end - start === 1 && text.charCodeAt(start) === 45 ? "" : text.slice(start, end);
}

function readStatus(text: string, start: number): number {
  const a = text.charCodeAt(start) - ZERO;
  const b = text.charCodeAt(start + 1) - ZERO;
  const c = text.charCodeAt(start + 2) - ZERO;
  const isNumber = a >= 0 && a <= 9 && b >= 0 && b <= 9 && c >= 0 && c <= 9;
  return isNumber ? a * 100 + b * 10 + c : -1;
}

/** An address has a digit or a colon and a separator; identd names and users have neither, nearly always. */
function looksLikeAddress(text: string, start: number, end: number): boolean {
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+)$/i.test(text.slice(start, end));
}

function withoutPort(host: string): string {
  const colon = host.lastIndexOf(":");
  return colon > host.lastIndexOf("]") ? host.slice(0, colon) : host;
}

/** Reads `10/Oct/2000:13:55:36 -0700`. Lines come in order of time: the day and the zone are mostly those of the line before. */
function createTimeReader(): (text: string, start: number) => number {
  let knownDay = "?";
  let knownZone = "?";
  let dayStart = Number.NaN;
  let zoneSeconds = Number.NaN;
  const two = (text: string, at: number): number => {
    const tens = text.charCodeAt(at) - ZERO;
    const ones = text.charCodeAt(at + 1) - ZERO;
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
  };
  return (text, start) => {
    if (!text.startsWith(knownDay, start)) {
      knownDay = text.slice(start, start + 11);
      dayStart = readDay(knownDay);
    }
    if (!text.startsWith(knownZone, start + 20)) {
      knownZone = text.slice(start + 20, start + 26);
      const sign = knownZone.startsWith(" -") ? -1 : knownZone.startsWith(" +") ? 1 : Number.NaN;
      zoneSeconds = sign * (two(knownZone, 2) * 3600 + two(knownZone, 4) * 60);
    }
    if (text[start + 11] !== ":" || text[start + 14] !== ":" || text[start + 17] !== ":") return Number.NaN;
    const seconds = two(text, start + 12) * 3600 + two(text, start + 15) * 60 + two(text, start + 18);
    return dayStart + seconds - zoneSeconds;
  };
}

function readDay(text: string): number {
  const [, day = "", name = "", year = ""] = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4})$/.exec(text) ?? [];
  const month = MONTHS.indexOf(name);
  if (month === -1) return Number.NaN;
  const date = new Date(Date.UTC(Number(year), month, Number(day)));
  return date.getUTCDate() === Number(day) ? date.getTime() / 1000 : Number.NaN;
}

/**
 * Undoes `\xHH` (both servers), `\"` and `\\`, and reads the bytes as UTF-8. Sources: nginx, `escape` of `log_format`; Apache,
 * "Format Notes" of mod_log_config.
 */
function decodeEscapes(text: string): string {
  const bytes = text.includes("\\")
    ? text.replaceAll(/\\(?:x([0-9A-Fa-f]{2})|(["\\]))/g, (_all, hex: string | undefined, literal: string) =>
        hex === undefined ? literal : String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text;
  return Buffer.from(bytes, "latin1").toString("utf8");
}
