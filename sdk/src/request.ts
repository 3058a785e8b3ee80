import { DocentError, errorFromResponse } from "./error.ts";

/** How the client reaches the service. */
export interface DocentOptions {
  /** Where the service listens, e.g. `https://docs.example.com`; a path before the API is kept. */
  baseUrl: string;
  /** A project's API key, for jobs and pull requests. */
  apiKey?: string | undefined;
  /** The service's admin token, for projects and keys. */
  adminToken?: string | undefined;
  /** In a browser, on a page of the service itself: the session of whoever is signed in there, instead of both. */
  session?: boolean | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Used instead of `setTimeout` between polls and reconnections. */
  delay?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** `api-key`: a project's key. `admin`: the admin token. `either`: the key, else the token. `session`: the browser's cookie. */
export type Credential = "api-key" | "admin" | "either" | "session";

export interface RequestOptions {
  signal?: AbortSignal | undefined;
}

interface SentRequest extends RequestOptions {
  credential: Credential;
  query?: Record<string, string | number | undefined>;
  body?: object;
  headers?: Record<string, string>;
}

export interface JsonAnswer<Body> {
  body: Body;
  headers: Headers;
}

/** Sends requests with the right credential and turns every failure into a `DocentError`. */
export interface Requester {
  json<Answer>(method: string, target: string, request: SentRequest): Promise<Answer>;
  /** The JSON of an answer together with its headers. */
  jsonWithHeaders<Answer>(method: string, target: string, request: SentRequest): Promise<JsonAnswer<Answer>>;
  text(method: string, target: string, request: SentRequest): Promise<string>;
  textWithHeaders(method: string, target: string, request: SentRequest): Promise<{ text: string; headers: Headers }>;
  /** The successful response with its body unread. */
  open(method: string, target: string, request: SentRequest): Promise<Response>;
  delay(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export function createRequester(options: DocentOptions): Requester {
  const base = options.baseUrl.replace(/\/+$/, "");
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);

  async function open(method: string, target: string, request: SentRequest): Promise<Response> {
    const headers: Record<string, string> = {
      Accept: "application/json",
      ...authorization(options, request.credential),
      ...(request.body === undefined ? {} : { "Content-Type": "application/json" }),
      ...request.headers,
    };
    const url = `${base}${target}${queryString(request.query ?? {})}`;
    let response: Response;
    try {
      response = await send(url, {
        method,
        headers,
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
    } catch (error) {
      if (request.signal?.aborted === true) throw error;
      throw unreachable(base, error);
    }
    if (!response.ok) throw await errorFromResponse(response);
    return response;
  }

  async function textWithHeaders(method: string, target: string, request: SentRequest) {
    const response = await open(method, target, request);
    try {
      return { text: await response.text(), headers: response.headers };
    } catch (error) {
      if (request.signal?.aborted === true) throw error;
      throw unreachable(base, error);
    }
  }

  async function jsonWithHeaders<Answer>(
    method: string,
    target: string,
    request: SentRequest,
  ): Promise<JsonAnswer<Answer>> {
    const { text, headers } = await textWithHeaders(method, target, request);
    try {
      return { body: JSON.parse(text), headers };
    } catch (error) {
      const message = `${base}${target} did not answer with JSON. Is ${base} a Docent service?`;
      throw new DocentError(message, { status: 200, code: "unexpected_answer", cause: error });
    }
  }

  return {
    open,
    textWithHeaders,
    jsonWithHeaders,
    text: async (...request) => (await textWithHeaders(...request)).text,
    json: async <Answer>(...request: Parameters<Requester["json"]>) => (await jsonWithHeaders<Answer>(...request)).body,
    delay: options.delay ?? delay,
  };
}

/** A path with each value encoded: path`/v1/projects/${id}`. */
export function path(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts
    .map((part, index) => part + (index < values.length ? encodeURIComponent(values[index] ?? "") : ""))
    .join("");
}

function queryString(query: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

function authorization(options: DocentOptions, wanted: Credential): { Authorization?: string } {
  if (options.session === true || wanted === "session") return {};
  return { Authorization: `Bearer ${credential(options, wanted)}` };
}

function credential(options: DocentOptions, wanted: Credential): string {
  const value =
    wanted === "api-key"
      ? options.apiKey
      : wanted === "admin"
        ? options.adminToken
        : (options.apiKey ?? options.adminToken);
  if (value !== undefined && value !== "") return value;
  const missing =
    wanted === "admin"
      ? "This needs the service's admin token: createDocent({ adminToken })."
      : "This needs an API key of the project: createDocent({ apiKey }).";
  throw new DocentError(missing, { status: 0, code: "credential_missing" });
}

function unreachable(base: string, error: unknown): DocentError {
  // Node's fetch says only "fetch failed"; the reason is one or two causes down.
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  const coded =
    reason instanceof Error && "code" in reason && typeof reason.code === "string" ? reason.code : undefined;
  const said = coded ?? (reason instanceof Error ? reason.message : String(reason));
  return new DocentError(`Cannot reach ${base}: ${said}.`, { status: 0, code: "unreachable", cause: error });
}

function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortReason(signal));
      return;
    }
    const aborted = (): void => {
      clearTimeout(timer);
      if (signal !== undefined) reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", aborted, { once: true });
  });
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError");
}
