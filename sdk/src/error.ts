/**
 * Anything that kept a request from its answer.
 *
 * `code` is the service's stable error code (`rate_limited`, `job_archived`, …), or one of the client's own:
 * `unreachable` (no connection; `cause` says why), `credential_missing` (nothing was sent),
 * `unexpected_answer` (something other than Docent answered), `timed_out` (a `waitFor` ran out of time).
 */
export class DocentError extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly details: readonly { message: string }[];
  /** The `X-Request-Id` of the answer, to find the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait before trying again, where the service said so. */
  readonly retryAfter: number | undefined;
  constructor(
    message: string,
    fields: {
      status: number;
      code: string;
      details?: readonly { message: string }[];
      requestId?: string | undefined;
      retryAfter?: number | undefined;
      cause?: unknown;
    },
  ) {
    super(message, fields.cause === undefined ? {} : { cause: fields.cause });
    this.name = "DocentError";
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? [];
    this.requestId = fields.requestId;
    this.retryAfter = fields.retryAfter;
  }
}

/** True for what a later try of the same read can mend: no connection, a gateway's error, or a limit. */
export function isTransient(error: unknown): error is DocentError {
  return error instanceof DocentError && (error.code === "unreachable" || [429, 502, 503, 504].includes(error.status));
}

/** The error that an unsuccessful response stands for. Reads the body. */
export async function errorFromResponse(response: Response): Promise<DocentError> {
  const text = await response.text().catch(() => "");
  const body = parseErrorBody(text);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new DocentError(body?.error ?? `The answer was HTTP ${response.status}, and not from Docent.`, {
    status: response.status,
    code: body?.code ?? "unexpected_answer",
    details: body?.details ?? [],
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  });
}

interface ErrorBody {
  error: string;
  code: string;
  details: { message: string }[];
}

function parseErrorBody(text: string): ErrorBody | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null || !("error" in parsed) || !("code" in parsed)) return undefined;
  const { error, code } = parsed;
  if (typeof error !== "string" || typeof code !== "string") return undefined;
  const listed: unknown[] = "details" in parsed && Array.isArray(parsed.details) ? parsed.details : [];
  const details = listed.flatMap((detail) =>
    typeof detail === "object" && detail !== null && "message" in detail && typeof detail.message === "string"
      ? [{ message: detail.message }]
      : [],
  );
  return { error, code, details };
}
