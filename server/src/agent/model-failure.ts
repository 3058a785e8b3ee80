import { sanitizeText } from "./sanitize.ts";
import { PROVIDERS, type ProviderName } from "./models/providers.ts";
import { readRetryAfterMs } from "./retry-after.ts";
import { ModelTimeoutError } from "./watchdog.ts";

/**
 * What stands between a job and its model's answer. `key`: refused or without credit. `model`: not there. `limited`: too
 * many calls. `overloaded`: too much for the provider, or it broke. `context`: the conversation is too long for it.
 * `refused`: it will not take this call. `unreachable`, `silent`, `cut`: the connection. `unreadable`: it answered nonsense.
 */
export type ModelFailureKind =
  | "key"
  | "model"
  | "limited"
  | "overloaded"
  | "context"
  | "refused"
  | "unreachable"
  | "silent"
  | "cut"
  | "unreadable";

export interface ModelFailure {
  kind: ModelFailureKind;
  /** A sentence for `failureReason`: what happened and what to do. Holds no key, prompt or document. */
  reason: string;
  /** True when the same call may succeed later. */
  isRetryable: boolean;
  /** How long the provider wants to be left alone. */
  retryAfterMs?: number;
}

/** A model call that came to nothing. It holds nothing of what was sent, so that it may be logged. */
export class ModelCallError extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.reason);
    this.name = "ModelCallError";
    this.failure = failure;
  }
}

/** Something that went wrong between us and a model, as its cause; what is wrong on our own side is never one. */
export class ModelSideError extends Error {
  constructor(cause: unknown) {
    super("A model call failed.", { cause });
    this.name = "ModelSideError";
  }
}

/** The answer ended before the model said that it was done. */
export class InterruptedAnswerError extends Error {
  constructor() {
    super("The answer ended in the middle.");
    this.name = "InterruptedAnswerError";
  }
}

/** What a provider or its package says about an error, as far as it says it. */
interface Told {
  status: number | undefined;
  /** Its words and codes, in lower case, to look into. */
  text: string;
  message: string;
  retryAfterMs: number | undefined;
}

interface Rule {
  kind: ModelFailureKind;
  isRetryable?: true;
  /** By its words, whatever the status. */
  words?: RegExp;
  statuses?: readonly number[];
  reason(title: string, told: Told, keyVariable: string): string;
}

/** The first rule that fits holds. The words are those of the providers' error codes and messages. */
const RULES: readonly Rule[] = [
  {
    kind: "context",
    words:
      /context_length_exceeded|context[ _](length|window|limit|size)|prompt is too long|input is too long|too many (input |total )?tokens(?! per)|maximum context|input token count|reduce the length of|request_too_large|request too large|exceed_context_size/,
    statuses: [413],
    reason: (title) => `${title} says that the conversation is too long for this model.`,
  },
  {
    kind: "key",
    words: /insufficient_quota|credit balance|billing_(hard_limit|not_active)|payment required|account is not active/,
    statuses: [402],
    reason: (title, { message }) => `${title} has no credit left for this key: ${shorten(message)}`,
  },
  {
    kind: "model",
    words:
      /model_not_found|model identifier is invalid|no such model|model .{0,200}(does not exist|not found|is not found|not supported)|(invalid|unknown) model|on-demand throughput isn.t supported|end of its life/,
    reason: (title, { message }) => `${title} does not have this model: ${shorten(message)} Choose another one.`,
  },
  {
    kind: "key",
    words:
      /authentication_error|permission_error|invalid_api_key|invalid x-api-key|api key not valid|api_key_invalid|accessdenied|unrecognizedclient|expiredtoken|invalidsignature|security token|permission_denied/,
    statuses: [401, 403],
    reason: (title, { status, message }, keyVariable) =>
      `${title} refused the key${inBrackets(status)}: ${shorten(message)} Check ${keyVariable}, or the project's own key.`,
  },
  {
    kind: "limited",
    isRetryable: true,
    words: /rate_limit|rate limit|throttl|too many requests|resource_exhausted|quota/,
    statuses: [429],
    reason: (title, { status }) => `${title} limits how often it may be called${inBrackets(status)}.`,
  },
  {
    kind: "overloaded",
    isRetryable: true,
    words: /overloaded|serviceunavailable|service unavailable|modelnotready|at capacity|\bunavailable\b/,
    statuses: [503, 529],
    reason: (title, { status }) => `${title} is overloaded${inBrackets(status)}.`,
  },
  {
    kind: "model",
    statuses: [404],
    reason: (title, { message }) =>
      `${title} does not know this model or address (404): ${shorten(message)} Check the model's name and the address.`,
  },
];

/** What went wrong in a model call. */
export function readModelFailure(error: unknown, provider: ProviderName | "docent"): ModelFailure {
  const { title, keyVariable } =
    provider === "docent" ? { title: "The model", keyVariable: "DOCENT_MODEL" } : PROVIDERS[provider];
  if (error instanceof ModelTimeoutError) return { kind: "silent", reason: error.message, isRetryable: true };
  if (error instanceof InterruptedAnswerError || isBrokenConnection(error)) {
    const reason = `The connection to ${inSentence(title)} broke in the middle of an answer.`;
    return { kind: "cut", reason, isRetryable: true };
  }
  const told = readTold(error);
  const { status, message, retryAfterMs } = told;
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  const rule = RULES.find(({ words, statuses }) => isIn(statuses, status) || words?.test(told.text) === true);
  if (rule !== undefined) {
    const reason = rule.reason(title, told, keyVariable);
    return { kind: rule.kind, reason, isRetryable: rule.isRetryable === true, ...wait };
  }
  if (isConnectionError(error)) {
    const reason = `${title} could not be reached: ${shorten(message)} Check its address and the way to it.`;
    return { kind: "unreachable", reason, isRetryable: true };
  }
  if (status !== undefined && status < 500 && status !== 408 && status !== 409) {
    const reason = `${title} refused the call (${status}): ${shorten(message)}`;
    return { kind: "refused", reason, isRetryable: false };
  }
  if (error instanceof Error && status === undefined) {
    // What the AI SDK says of these quotes the answer, which may be a document: reasons are logged.
    const why = QUOTING_ERRORS.has(error.name) ? "It is not what its API answers." : shorten(message);
    const reason = `What ${inSentence(title)} answered could not be read: ${why}`;
    return { kind: "unreadable", reason, isRetryable: true };
  }
  const reason = `${title} answered with an error${inBrackets(status)}: ${shorten(message)}`;
  return { kind: "overloaded", reason, isRetryable: true, ...wait };
}

const QUOTING_ERRORS = new Set(["AI_JSONParseError", "AI_TypeValidationError", "AI_InvalidResponseDataError"]);

function isIn(statuses: readonly number[] | undefined, status: number | undefined): boolean {
  return status !== undefined && statuses?.includes(status) === true;
}

/** An error of the AI SDK, what a provider put into its stream, or a failed `fetch`. */
function readTold(error: unknown): Told {
  const fields: Record<string, unknown> = typeof error === "object" ? { ...error } : { message: error };
  if (error instanceof Error) fields["message"] = error.message;
  const { message, statusCode, code, type, data, responseBody, responseHeaders } = fields;
  const words = [message, type, code, typeof responseBody === "string" ? responseBody.slice(0, 4_000) : data];
  return {
    status: [statusCode, code].find((status) => typeof status === "number"),
    text: (JSON.stringify(words) ?? "").toLowerCase(),
    message: typeof message === "string" && message !== "" ? message : "no reason given",
    retryAfterMs: readRetryAfterMs(responseHeaders as Record<string, string> | undefined, data ?? responseBody),
  };
}

const CONNECTION_CODES =
  /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|EPIPE|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|UND_ERR_|ERR_TLS|ERR_SSL)/;

function causes(error: unknown): { code?: unknown; name?: unknown; message?: unknown }[] {
  const found: object[] = [];
  for (let at = error; at instanceof Error && !found.includes(at); at = at.cause) found.push(at);
  return found;
}

function isConnectionError(error: unknown): boolean {
  return causes(error).some(
    ({ code, message }) =>
      (typeof code === "string" && CONNECTION_CODES.test(code)) ||
      (typeof message === "string" && /^(cannot connect to api|fetch failed)/i.test(message)),
  );
}

/** While the body was read: of undici "terminated", of the Bedrock package a frame that is not whole. */
function isBrokenConnection(error: unknown): boolean {
  return causes(error).some(
    ({ code, message }) =>
      code === "UND_ERR_SOCKET" ||
      code === "UND_ERR_BODY_TIMEOUT" ||
      (typeof message === "string" &&
        /^terminated$|incomplete amazon bedrock event-stream|stream ended without|no output generated|other side closed/i.test(
          message,
        )),
  );
}

function inBrackets(status: number | undefined): string {
  return status === undefined ? "" : ` (${status})`;
}

function inSentence(title: string): string {
  return title.startsWith("The ") ? `t${title.slice(1)}` : title;
}

function shorten(message: string): string {
  const line = sanitizeText(message).replace(/\s+/g, " ").trim();
  const withoutKeys = line.replace(/\b(?:sk|key|docent|AKIA|AIza)[-_]?[\w*-]{8,}/g, "[key]");
  const cut = [...withoutKeys].slice(0, 300).join("");
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}
