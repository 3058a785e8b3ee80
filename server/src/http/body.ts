import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../errors.ts";

/**
 * The largest body in bytes. A prompt of 100,000 characters outside the Basic Multilingual Plane, each written as
 * `\ud83d\ude00`, has 1.2 MB of JSON.
 */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Takes JSON bodies in UTF-8 for the routes of this context; an absent body is left to the schema to refuse.
 * @param contentTypes that JSON is sent as
 */
export function acceptJsonBody(app: FastifyInstance, contentTypes: readonly string[] = ["application/json"]): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...contentTypes], { parseAs: "buffer" }, (request, body: Buffer, done) => {
    const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(request.headers["content-type"] ?? "")?.[1];
    const encoding = request.headers["content-encoding"] ?? "identity";
    if ((charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) || encoding.toLowerCase() !== "identity") {
      done(new ApiError("unsupported_media_type", { message: "Send the body as uncompressed JSON in UTF-8." }));
    } else if (body.length === 0) {
      done(null, undefined);
    } else if (!isUtf8(body)) {
      done(new ApiError("invalid_request", { message: "The body is not valid UTF-8." }));
    } else {
      try {
        done(null, parseJson(body));
      } catch {
        done(new ApiError("invalid_request", { message: "The body is not valid JSON." }));
      }
    }
  });
}

/** Leaves bodies unread for the routes of this context, whatever their type: these operations take none. */
export function ignoreBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
}

function parseJson(body: Buffer): unknown {
  const text = body.toString("utf8");
  // `__proto__` stays an own property of what JSON.parse makes; only code that copies it would assign a prototype.
  return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
}
