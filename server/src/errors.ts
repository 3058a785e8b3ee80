/** Every error the HTTP API answers with: its stable code, its status, and its usual sentence. */
export const ERRORS = {
  invalid_request: { status: 400, message: "The request is not valid." },
  unauthorized: { status: 401, message: "Send an API key: Authorization: Bearer docent_…" },
  forbidden: { status: 403, message: "This key may not do that." },
  not_found: { status: 404, message: "There is nothing here." },
  method_not_allowed: { status: 405, message: "This path does not answer to that method." },
  request_timeout: { status: 408, message: "The request took too long to arrive." },
  conflict: { status: 409, message: "The request conflicts with the present state." },
  job_archived: { status: 409, message: "The job is archived; create a new one." },
  idempotency_conflict: { status: 409, message: "This Idempotency-Key was used for another request." },
  body_too_large: { status: 413, message: "The request body is too large." },
  unsupported_media_type: { status: 415, message: "Send the body as Content-Type: application/json." },
  headers_too_large: { status: 431, message: "The URL or the headers are too long." },
  rate_limited: { status: 429, message: "Too many requests; try again later." },
  internal: { status: 500, message: "Something went wrong on the server; the log has the request id." },
  unavailable: { status: 503, message: "The service cannot do this right now; try again." },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** An error that reaches the client as it is. Anything else that is thrown becomes `internal` with no detail. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly { message: string }[];
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    code: ErrorCode,
    options: { message?: string; details?: readonly { message: string }[]; headers?: Record<string, string> } = {},
  ) {
    super(options.message ?? ERRORS[code].message);
    this.name = "ApiError";
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }
}
