import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";

/**
 * A hook that refuses the named query parameters when they are there more than once, which no reader of the answer
 * could tell.
 * @throws ApiError 400 that names each of them.
 */
export function refuseRepeated(...names: string[]): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const query = request.query as Record<string, unknown>;
    const details = names.flatMap((name) =>
      Array.isArray(query[name]) ? [{ message: `${name} must be given once` }] : [],
    );
    const [first] = details;
    if (first !== undefined) throw new ApiError("invalid_request", { message: `${first.message}.`, details });
  };
}
