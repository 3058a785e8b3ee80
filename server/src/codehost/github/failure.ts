import { CodeHostError } from "../codehost.ts";
import { describeAccepted } from "./permissions.ts";

const TEXT_CHARACTERS_MAX = 300;
/** docs.github.com "Rate limits for the REST API": without a hint, wait for at least a minute. */
const RATE_LIMIT_MS_DEFAULT = 60_000;

export interface FailureContext {
  /** How the product is called. */
  product: string;
  /** `owner/name`. */
  repository: string;
  credential: "token" | "github-app";
  now: Date;
}

interface Answer {
  status: number;
  headers: Readonly<Record<string, string | number | undefined>>;
  /** What GitHub says, as one text. */
  text: string;
  errors: readonly ValidationError[];
}

/** docs.github.com "Troubleshooting the REST API": validation failed. */
interface ValidationError {
  resource?: string;
  field?: string;
  code?: string;
  message?: string;
}

/** What a failed request means for the project's owner. Texts and headers: docs.github.com "Troubleshooting the REST API". */
export function describeFailure(error: unknown, context: FailureContext): CodeHostError {
  if (error instanceof CodeHostError) return error;
  const answer = answerOf(error);
  const { product } = context;
  if (answer === undefined) {
    const message = `${product} could not be reached: ${reasonOf(error)}.`;
    return new CodeHostError("unavailable", message, { cause: error });
  }
  const described =
    rateLimit(answer, context) ??
    archived(answer, context) ??
    (answer.status === 401 ? unauthorized(answer, context) : undefined) ??
    (answer.status === 403 ? forbidden(answer, context) : undefined) ??
    (answer.status === 404 || answer.status === 410 ? notFound(answer, context) : undefined) ??
    (answer.status >= 500
      ? new CodeHostError("unavailable", `${product} answers with an error of its own (${answer.status}).`, {
          ...retryAfter(answer),
        })
      : undefined);
  return described ?? new CodeHostError("invalid", `${product} refused it (${answer.status}): ${answer.text}`);
}

/** The fields and messages of a 422, or undefined when the error is no such answer. */
export function validationErrors(error: unknown): readonly ValidationError[] | undefined {
  const answer = answerOf(error);
  if (answer?.status !== 422) return undefined;
  return answer.errors.length > 0 ? answer.errors : [{ message: answer.text }];
}

export function statusOf(error: unknown): number | undefined {
  return answerOf(error)?.status;
}

/** Octokit's errors hold the request, its Authorization header included: only their answer is looked at. */
function answerOf(error: unknown): Answer | undefined {
  if (!(error instanceof Error) || !("response" in error)) return undefined;
  const response = error.response as
    | { status: number; headers: Answer["headers"]; data: { message?: unknown; errors?: unknown } | string }
    | undefined;
  if (response === undefined) return undefined;
  const { status, headers, data } = response;
  const message = typeof data === "object" && typeof data.message === "string" ? data.message : "";
  const listed = typeof data === "object" && Array.isArray(data.errors) ? (data.errors as unknown[]) : [];
  const errors = listed.map((each) => (typeof each === "string" ? { message: each } : (each as ValidationError)));
  const details = errors.map(({ message: said, field, code }) => said ?? `${field ?? ""} ${code ?? ""}`.trim());
  const text = [message, ...details].filter((part) => part !== "").join(" ");
  return { status, headers, text: oneLine(text), errors };
}

function rateLimit(answer: Answer, { product, now }: FailureContext): CodeHostError | undefined {
  const { status, headers, text } = answer;
  const isExhausted = Number(headers["x-ratelimit-remaining"] ?? Number.NaN) === 0;
  const isLimit = status === 429 || (status === 403 && (isExhausted || /rate limit|abuse detection/i.test(text)));
  if (!isLimit) return undefined;
  const resetMs = Number(headers["x-ratelimit-reset"]) * 1000 - now.getTime();
  const fallbackMs = isExhausted && resetMs > 0 ? resetMs : RATE_LIMIT_MS_DEFAULT;
  const { retryAfterMs = fallbackMs } = retryAfter(answer);
  return new CodeHostError("unavailable", `${product} asks Docent to wait: its rate limit is used up.`, {
    retryAfterMs,
  });
}

function retryAfter({ headers }: Answer): { retryAfterMs?: number } {
  const seconds = Number(headers["retry-after"]);
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1000 } : {};
}

function archived({ status, text }: Answer, { product, repository }: FailureContext): CodeHostError | undefined {
  const isArchived = (status === 403 || status === 410) && /archived|read-only/i.test(text);
  if (!isArchived) return undefined;
  return new CodeHostError(
    "repository_archived",
    `${repository} is archived on ${product} and takes no changes. Unarchive it, or archive this project's jobs.`,
  );
}

function unauthorized({ text }: Answer, { product, repository, credential }: FailureContext): CodeHostError {
  if (credential === "token") {
    return new CodeHostError(
      "credential_refused",
      `${product} refuses the token for ${repository}: it has expired, was revoked, or is not one of its tokens. Make a new one and give it to the project.`,
    );
  }
  const advice = /claim/i.test(text)
    ? "Set this machine's clock right."
    : "Check the App's ID, and give the project a private key that the App still has.";
  return new CodeHostError("credential_refused", `${product} refuses the GitHub App's key: ${text}. ${advice}`);
}

function forbidden(answer: Answer, { product, repository, credential }: FailureContext): CodeHostError {
  const { headers, text } = answer;
  if (/suspended/i.test(text)) {
    return new CodeHostError("credential_refused", `${product} has suspended this credential: ${text}`);
  }
  if (headers["x-github-sso"] !== undefined || /SAML/i.test(text)) {
    return new CodeHostError(
      "permission_missing",
      `The organization of ${repository} asks for single sign-on. Authorize the token for it: on ${product}, Settings, Developer settings, Personal access tokens, Configure SSO.`,
    );
  }
  const accepted = headers["x-accepted-github-permissions"];
  if (typeof accepted === "string" && accepted !== "" && /not accessible/i.test(text)) {
    const holder = credential === "token" ? "token" : "GitHub App's installation";
    return new CodeHostError(
      "permission_missing",
      `The ${holder} for ${repository} lacks a permission. Grant it on ${product}: ${describeAccepted(accepted)}.`,
    );
  }
  const scopes = headers["x-accepted-oauth-scopes"];
  const hint =
    typeof scopes === "string" && scopes !== "" && headers["x-oauth-scopes"] !== undefined
      ? ` A classic token needs the scope ${scopes.split(",")[0]}.`
      : "";
  return new CodeHostError("permission_missing", `${product} does not allow this on ${repository}: ${text}.${hint}`);
}

function notFound(_answer: Answer, { product, repository, credential }: FailureContext): CodeHostError {
  const advice =
    credential === "token"
      ? "Check the name, and that the token's owner and the token itself have access to it."
      : "Check the name, and that the GitHub App is installed on it.";
  return new CodeHostError(
    "not_found",
    `${product} has no ${repository}, or not for this credential: a private repository looks missing to those without access. ${advice}`,
  );
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return "unknown error";
  if (cause.name === "TimeoutError") return "it did not answer in time";
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  return oneLine(inner.message === "" ? inner.name : inner.message);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, TEXT_CHARACTERS_MAX);
}
