import type { FastifyReply } from "fastify";
import type { LimitAnswer } from "../access/limits.ts";
import { ApiError } from "../errors.ts";

/**
 * Puts an hourly limit's state on the answer, in the fields of draft-ietf-httpapi-ratelimit-headers-06 (the last draft
 * with one field for each value): limit, remaining, seconds to the reset, and the policy.
 * @throws ApiError 429 with Retry-After when nothing is left.
 */
export function applyLimit(
  reply: FastifyReply,
  limit: LimitAnswer | undefined,
  refusal = `This project has used its ${limit?.limit} requests of this hour`,
): void {
  if (limit === undefined) return;
  void reply.headers({
    "ratelimit-limit": String(limit.limit),
    "ratelimit-remaining": String(limit.remaining),
    "ratelimit-reset": String(limit.resetSeconds),
    "ratelimit-policy": `${limit.limit};w=3600`,
  });
  if (limit.allowed) return;
  throw new ApiError("rate_limited", {
    message: `${refusal}; try again in ${limit.resetSeconds} s.`,
    headers: { "retry-after": String(limit.resetSeconds) },
  });
}
