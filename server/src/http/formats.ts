import type { FastifySchemaValidationError } from "fastify/types/schema.js";
import { ApiError } from "../errors.ts";
import { normalizeCidr } from "../access/cidr.ts";
import { isOrigin } from "../projects/settings.ts";

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** The string formats of the API's schemas: what each takes, and what to tell who sends something else. */
const FORMATS: Readonly<Record<string, { accepts(text: string): boolean; message: string }>> = {
  text: { accepts: isStorable, message: "must not contain NUL characters or unpaired surrogates" },
  line: {
    accepts: (text) => isStorable(text) && !/[\p{Cc}\u2028\u2029]/u.test(text),
    message: "must be one line without control characters",
  },
  cidr: {
    accepts: (text) => normalizeCidr(text) !== undefined,
    message: "must be an IP address or a CIDR range like 10.0.0.0/8",
  },
  origin: {
    accepts: isOrigin,
    message: "must be an origin like https://docs.example.com, without a path",
  },
  // As better-auth takes it where people sign in.
  email: {
    accepts: (text) => /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/.test(text),
    message: "must be an e-mail address like ada@example.com",
  },
  mailbox: {
    accepts: (text) => /^[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+$/u.test(text),
    message: "must be an e-mail address",
  },
  person: {
    accepts: (text) => /^[^<>\p{Cc}]*[^<>\s\p{Cc}] <[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+>$/u.test(text),
    message: "must be like Ada Lovelace <ada@example.com>",
  },
  cursor: {
    accepts: (text) => /^[\w-]{1,100}$/.test(text),
    message: "must be the nextCursor of an earlier page",
  },
};

export const ajvFormats = Object.fromEntries(Object.entries(FORMATS).map(([name, format]) => [name, format.accepts]));

/** Turns what the validator found in a body, query, or header into a refusal that names the field. */
export function toInvalidRequest(errors: FastifySchemaValidationError[], part: string): ApiError {
  const details = errors.map((error) => ({ message: `${fieldOf(error, part)} ${complaint(error)}` }));
  return new ApiError("invalid_request", { message: `${details[0]?.message ?? "The request is not valid"}.`, details });
}

function fieldOf(error: FastifySchemaValidationError, part: string): string {
  const path = error.instancePath.split("/").slice(1);
  if (error.keyword === "required") path.push(String(error.params["missingProperty"]));
  if (path.length > 0) return path.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
  return part === "body" ? "The body" : `The ${part}`;
}

function complaint({ keyword, params, message }: FastifySchemaValidationError): string {
  switch (keyword) {
    case "required":
      return "is required";
    case "type":
      return `must be ${[params["type"]].flat().map(describeType).join(" or ")}`;
    case "enum":
      return `must be one of ${[params["allowedValues"]].flat().join(", ")}`;
    case "format":
      return FORMATS[String(params["format"])]?.message ?? message ?? "is not valid";
    case "pattern":
      return params["pattern"] === "\\S" ? "must not be blank" : (message ?? "is not valid");
    default:
      return (message ?? "is not valid").replace("NOT have", "not have");
  }
}

function describeType(type: unknown): string {
  if (type === "null") return "null";
  return `${type === "object" || type === "array" || type === "integer" ? "an" : "a"} ${String(type)}`;
}
