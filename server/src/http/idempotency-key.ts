import { createHash } from "node:crypto";
import { ApiError } from "../errors.ts";
import type { Idempotency } from "../jobs/job.ts";

/**
 * Reads an Idempotency-Key header.
 * @param operation The operation's path, and `body` its validated fields: together what makes the request the same.
 * @throws ApiError 400 for a key that is not 1 to 255 printable ASCII characters.
 */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  operation: string,
  body: readonly string[],
): { idempotency?: Idempotency } {
  if (header === undefined) return {};
  if (typeof header !== "string" || !/^[\x20-\x7e]{1,255}$/.test(header)) {
    const message = "Idempotency-Key must be 1 to 255 printable ASCII characters";
    throw new ApiError("invalid_request", { message: `${message}.`, details: [{ message }] });
  }
  const requestHash = createHash("sha256")
    .update(JSON.stringify([operation, ...body]))
    .digest();
  return { idempotency: { key: header, requestHash } };
}
