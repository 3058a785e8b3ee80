import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { randomUUID } from "node:crypto";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { Type, type TUnsafe } from "typebox";
import { ApiError, ERRORS, type ErrorCode } from "../errors.ts";

/** The body of every error. */
export const errorSchema = Type.Object(
  {
    error: Type.String({ description: "What happened and what to do, for a person." }),
    code: Type.Unsafe<ErrorCode>({
      type: "string",
      enum: Object.keys(ERRORS),
      description: "What happened, for a program. Stable.",
    }),
    details: Type.Optional(
      Type.Array(Type.Object({ message: Type.String() }), { description: "Each fault by itself, naming its field." }),
    ),
  },
  { $id: "ErrorBody", description: "Why a request was refused." },
);

interface ErrorBody {
  error: string;
  code: ErrorCode;
  details?: { message: string }[];
}

/** The error answers of a route, for its `response` schema. */
export function errorResponses<Status extends number>(...statuses: Status[]): Record<Status, TUnsafe<ErrorBody>> {
  const schema = (status: Status): TUnsafe<ErrorBody> =>
    Type.Unsafe<ErrorBody>({ $ref: "ErrorBody#", description: STATUS_CODES[status] ?? "Error" });
  return Object.fromEntries(statuses.map((status) => [status, schema(status)])) as Record<Status, TUnsafe<ErrorBody>>;
}

/** Of each operation, at most one refusal for want of room is logged in this time: an overload brings thousands a second. */
const UNAVAILABLE_LOG_MS = 1_000;

/** Answers an error. What is not meant for the client is logged with the request's id and answered as `internal`. */
export function createErrorHandler(log: (line: string) => void, now: () => number = () => performance.now()) {
  const loggedAt = new Map<string, number>();

  function isLogged(code: string, operation: string): boolean {
    if (code === "internal") return true;
    if (code !== "unavailable" || now() - (loggedAt.get(operation) ?? -Infinity) < UNAVAILABLE_LOG_MS) return false;
    loggedAt.set(operation, now());
    return true;
  }

  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const answer = toApiError(error);
    const operation = `${request.method} ${request.routeOptions.url ?? "(no route)"}`;
    if (isLogged(answer.code, operation)) {
      // A refusal on purpose says all in its message.
      const cause = error instanceof ApiError ? error.message : (error.stack ?? String(error));
      log(`${answer.code}: ${operation}, request ${request.id}: ${cause}`);
    }
    // Set again because errors of the router come here before any hook has run.
    void reply.code(answer.status).header("x-request-id", request.id).headers(answer.headers).send(errorBody(answer));
  };
}

function errorBody(error: ApiError): ErrorBody {
  return {
    error: error.message,
    code: error.code,
    ...(error.details.length > 0 ? { details: [...error.details] } : {}),
  };
}

const FRAMEWORK_ERRORS: Readonly<Record<string, ApiError>> = {
  FST_ERR_NOT_FOUND: new ApiError("not_found"),
  FST_ERR_MAX_PARAM_LENGTH: new ApiError("not_found"),
  FST_ERR_BAD_URL: new ApiError("invalid_request", { message: "The URL's path is not valid percent-encoded UTF-8." }),
  FST_ERR_CTP_BODY_TOO_LARGE: new ApiError("body_too_large"),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new ApiError("unsupported_media_type"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new ApiError("invalid_request", {
    message: "The body's length is not what Content-Length says.",
  }),
};

/**
 * What PostgreSQL, its driver and the sockets below say when the database cannot be reached or has no room for another
 * connection: https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const UNAVAILABLE =
  /^(08...|53...|25P03|55000|57014|57P0[1-5]|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
const UNAVAILABLE_MESSAGES = /timeout exceeded when trying to connect|Connection terminated|pool after calling end/i;

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof Error)) return new ApiError("internal");
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const known = FRAMEWORK_ERRORS[code];
  if (known !== undefined) return known;
  if (UNAVAILABLE.test(code) || UNAVAILABLE_MESSAGES.test(error.message)) {
    return new ApiError("unavailable", { headers: { "retry-after": "1" } });
  }
  // What else Fastify itself blames on the client, like a body that breaks off.
  const status = "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : 500;
  if (code.startsWith("FST_") && status === 415) return new ApiError("unsupported_media_type");
  if (code.startsWith("FST_") && status === 404) return new ApiError("not_found");
  if (status >= 400 && status < 500) return new ApiError("invalid_request");
  return new ApiError("internal");
}

/** Answers what Node's HTTP parser refuses: no request exists yet, so the answer is written to the socket. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = new ApiError(
    error.code === "HPE_HEADER_OVERFLOW"
      ? "headers_too_large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "request_timeout"
        : "invalid_request",
    ...(error.code?.startsWith("HPE_") === true && error.code !== "HPE_HEADER_OVERFLOW"
      ? [{ message: "This is not a valid HTTP/1.1 request." }]
      : []),
  );
  const body = JSON.stringify(errorBody(answer));
  socket.end(
    [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
      "Connection: close",
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      "",
      body,
    ].join("\r\n"),
  );
}
