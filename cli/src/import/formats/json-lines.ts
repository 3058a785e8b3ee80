import { createRequest, type LineKind, type LineParser, type LogFormat, type LoggedRequest } from "./format.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

const OPENING_BRACKET = 91;

/** Fills the request from an object; its fields are empty before. */
type EntryReader = (entry: JsonObject, request: LoggedRequest) => LineKind;

/** A format with one JSON object a line, or one array of them. A reader is made for each log. */
export function createJsonFormat({
  createReader,
  ...format
}: Omit<LogFormat, "createParser" | "decode"> & { createReader: () => EntryReader }): LogFormat {
  return { ...format, createParser: () => createJsonParser(createReader()), decode: (text) => text };
}

function createJsonParser(read: EntryReader): LineParser {
  const empty = createRequest();
  const request = createRequest();

  return {
    parse({ bytes }, start, end, onRequest) {
      let value: unknown;
      try {
        value = JSON.parse(bytes.toString("utf8", start, end));
      } catch {
        return "malformed";
      }
      const entries: unknown[] = bytes[start] === OPENING_BRACKET && Array.isArray(value) ? value : [value];
      let kind: LineKind = "other";
      for (const entry of entries) {
        if (!isObject(entry)) return "malformed";
        Object.assign(request, empty);
        const found = read(entry, request);
        if (found === "malformed") return "malformed";
        if (found !== "requests") continue;
        kind = "requests";
        onRequest(request);
      }
      return kind;
    },
  };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text, or empty for anything else and for `-`, by which logs say that there was none. */
export function textOf(value: unknown): string {
  return typeof value === "string" && value !== "-" ? value : "";
}

/** The first of a list of texts, which is how headers are logged, or the text itself. */
export function firstTextOf(value: unknown): string {
  return textOf(Array.isArray(value) ? value[0] : value);
}

export function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
}

/**
 * Seconds since 1970 from a number of seconds, milliseconds, microseconds or nanoseconds since then, told apart by their size: the
 * ranges do not overlap between 1973 and 5138; or from a timestamp with its zone, like RFC 3339's. NaN for anything else.
 */
export function timeOf(value: unknown): number {
  if (typeof value === "string" && !/^\d+(?:\.\d+)?$/.test(value)) {
    return /^\d{4}[-/]\d\d[-/]\d\d.*(?:Z|[+-]\d\d:?\d\d)$/.test(value)
      ? Math.floor(Date.parse(value.replaceAll("/", "-")) / 1000)
      : Number.NaN;
  }
  let seconds = numberOf(value);
  // JSON's 1e999 is infinite.
  if (!Number.isFinite(seconds) || seconds < 0) return Number.NaN;
  while (seconds >= 1e11) seconds /= 1000;
  return Math.floor(seconds);
}

/** An Accept header or Content-Type that says Markdown is what was wanted or sent; empty for any other. */
export function markdownOf(...types: string[]): string {
  return types.some((type) => type.includes("text/markdown")) ? "text/markdown" : "";
}
