import type { SeenResponse } from "./page-view.ts";

/** What is used of Node's `IncomingMessage`, and of what Express and Connect add to it. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The URL before a router cut off the path that it is mounted at. */
  readonly originalUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly socket?: { readonly remoteAddress?: string | undefined } | null | undefined;
}

/** What is used of Node's `ServerResponse`, of HTTP/1 or 2. */
export interface NodeResponse {
  readonly statusCode: number;
  getHeader(name: string): number | string | readonly string[] | undefined;
  once(event: "finish", listener: () => void): unknown;
}

/** Node and the frameworks declare `writeHead` in ways that no one type takes. */
type WriteHead = (...parameters: unknown[]) => unknown;

/** Calls back once, when the response was handed over whole; never for a response that broke off. */
export function afterResponse(response: NodeResponse, callback: (seen: SeenResponse) => void): void {
  let written: string | undefined;
  const own = response as NodeResponse & { writeHead: WriteHead };
  // Headers that are given to writeHead go out without ever being seen by getHeader.
  const writeHead = own.writeHead;
  own.writeHead = function (this: unknown, ...parameters) {
    written = contentTypeIn(parameters.at(-1));
    return writeHead.apply(this, parameters);
  };
  response.once("finish", () => {
    const set = response.getHeader("content-type");
    callback({ status: response.statusCode, contentType: written ?? (set === undefined ? undefined : String(set)) });
  });
}

/** Of an object, or of an array of names and values, flat or in pairs. */
function contentTypeIn(headers: unknown): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  const pairs: unknown[][] = Array.isArray(headers) ? inPairs(headers) : Object.entries(headers);
  const found = pairs.findLast(([name]) => String(name).toLowerCase() === "content-type");
  return found === undefined ? undefined : String(found[1]);
}

function inPairs(headers: unknown[]): unknown[][] {
  return headers.flatMap((header, index) => {
    if (Array.isArray(header)) return [header];
    return index % 2 === 0 ? [[header, headers[index + 1]]] : [];
  });
}

/** The path that was asked for, also where a proxy sends the whole URL. */
export function nodePath(request: NodeRequest): string {
  const target = request.originalUrl ?? request.url ?? "/";
  const path = target.startsWith("/") ? target : URL.canParse(target) ? new URL(target).pathname : "/";
  return path.replace(/[?#].*/s, "");
}

export function nodeHeader(request: NodeRequest, name: string): string | undefined {
  // HTTP/2 has no Host.
  const value = request.headers[name] ?? (name === "host" ? request.headers[":authority"] : undefined);
  return Array.isArray(value) ? value.join(", ") : value;
}
