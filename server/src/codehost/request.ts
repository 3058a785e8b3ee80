import { CodeHostError } from "./codehost.ts";
import type { CodeHostConnection } from "./connection.ts";

/** A page of a hundred comments takes a busy server seconds; half a minute without an answer brings none. */
export const REQUEST_MS_MAX = 30_000;
/** For a limit whose end the host does not tell. */
const RATE_LIMIT_MS_DEFAULT = 60_000;
const REASON_CHARACTERS_MAX = 300;

export interface HostRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: object | undefined;
}

export interface HostAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** What the JSON says, the text when it is none, null when it is empty. */
  body: unknown;
}

/**
 * Asks a code host's API once. `product` is how it is called in sentences for people. Gives every answer that the host means, refusals too; nothing is followed to another
 * address, where the credential would go along.
 * @throws CodeHostError `unavailable` for the network, time-outs, 429 and 5xx; `invalid` for a redirect and for a
 * success that is not JSON: something else answers at this address.
 */
export async function askHost(
  { fetch, clock }: CodeHostConnection,
  product: string,
  { method, url, headers, body }: HostRequest,
): Promise<HostAnswer> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers: {
        accept: "application/json",
        "user-agent": "docent",
        ...headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    });
    text = await response.text();
  } catch (error) {
    throw new CodeHostError("unavailable", `${product} could not be reached: ${reasonOf(error)}.`);
  }
  const { status } = response;
  if (status === 429 || status >= 500) throw unavailable(product, response, clock());
  if (status >= 300 && status < 400) throw moved(product, response);
  const parsed = parse(text);
  if (response.ok && parsed === undefined) {
    const message = `${product} did not answer as its API does. Check that this is its address, with the path if it lies under one.`;
    throw new CodeHostError("invalid", message);
  }
  return { status, headers: Object.fromEntries(response.headers), body: parsed ?? text };
}

/** Undefined: it is no JSON. */
function parse(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unavailable(product: string, { status, headers }: Response, now: Date): CodeHostError {
  const asked = retryAfterMs(headers, now);
  if (status !== 429) {
    const message = `${product} answers with an error of its own (${status}).`;
    return new CodeHostError("unavailable", message, asked === undefined ? {} : { retryAfterMs: asked });
  }
  return new CodeHostError("unavailable", `${product} asks Docent to wait: its rate limit is used up.`, {
    retryAfterMs: asked ?? RATE_LIMIT_MS_DEFAULT,
  });
}

/** RFC 9110, 10.2.3 (seconds or a date); GitLab's `RateLimit-Reset` and Gitea's `X-RateLimit-Reset` are Unix times. */
function retryAfterMs(headers: Headers, now: Date): number | undefined {
  const after = headers.get("retry-after");
  if (after !== null) {
    const ms = /^\d+$/.test(after.trim()) ? Number(after) * 1000 : Date.parse(after) - now.getTime();
    if (Number.isFinite(ms)) return Math.max(ms, 0);
  }
  const reset = Number(headers.get("ratelimit-reset") ?? headers.get("x-ratelimit-reset") ?? Number.NaN);
  const ms = reset * 1000 - now.getTime();
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}

function moved(product: string, { headers }: Response): CodeHostError {
  const to = URL.parse(headers.get("location") ?? "");
  const where = to === null ? "another address" : `${to.origin}${to.pathname}`;
  return new CodeHostError(
    "invalid",
    `${product} sends on to ${where}, where Docent does not take its token. Give the project the address that the repository has now.`,
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return `no answer within ${REQUEST_MS_MAX / 1000} s`;
  // What fetch throws says only that it failed; its cause says why.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return "unknown error";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const advice = /CERT|SELF_SIGNED|LEAF_SIGNATURE|ISSUER/.test(code)
    ? "; if its certificate is your own authority's, name that one's file in DOCENT_CA_FILE"
    : "";
  const reason = (cause.message === "" ? code || cause.name : cause.message).replaceAll(/\s+/g, " ");
  return reason.slice(0, REASON_CHARACTERS_MAX) + advice;
}
