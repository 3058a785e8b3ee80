/** A part of the log that is in memory, as bytes and as their characters in Latin-1, one a byte. */
export interface Block {
  bytes: Buffer;
  text: string;
}

/**
 * A request as a line of a log tells it. One object is filled again for each, so that a line costs no allocation; texts are as they
 * stand in the line and become what was meant by the format's `decode`, which runs once for each distinct text.
 */
export interface LoggedRequest {
  /** Seconds since 1970, UTC. */
  time: number;
  method: string;
  /** What was asked for: a path, with its query where the log has it, or a whole URL. */
  target: string;
  /** 0 when there was no answer. */
  status: number;
  address: string;
  userAgent: string;
  referrer: string;
  /** Empty where the log has none. */
  host: string;
  /** The request's Accept header, or the answer's Content-Type when that is Markdown; empty where the log has neither. */
  accept: string;
  /** The client said that it only prefetches. */
  isPrefetch: boolean;
  /** The reader sent Global Privacy Control. */
  globalPrivacyControl: boolean;
}

/** Reads the lines of one log, in their order. */
export interface LineParser {
  /**
   * Reads the line from `start` up to and without `end`, which has no line end.
   * @param onRequest is given each request of the line in the same object, which it must not keep.
   * @returns `header` for a line that tells about the log, `other` for one that is no request, `malformed` for one not of this format.
   */
  parse(block: Block, start: number, end: number, onRequest: (request: LoggedRequest) => void): LineKind;
}

export type LineKind = "requests" | "header" | "other" | "malformed";

export interface LogFormat {
  name: string;
  /** What people call it. */
  title: string;
  /** What a line means depends on earlier lines: who begins in the middle has to parse those as well. */
  remembers: boolean;
  createParser(): LineParser;
  /** What a text of a request means. */
  decode(text: string): string;
}

export function createRequest(): LoggedRequest {
  return {
    time: 0,
    method: "",
    target: "",
    status: 0,
    address: "",
    userAgent: "",
    referrer: "",
    host: "",
    accept: "",
    isPrefetch: false,
    globalPrivacyControl: false,
  };
}
