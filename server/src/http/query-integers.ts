import type { FastifyRequest } from "fastify";

/**
 * A hook that turns the named query parameters into numbers before validation, where they are written as plain
 * decimal integers. Others stay strings, so that the schema refuses them by name; `1e2`, ` 5` and `0x10` are no integers.
 */
export function readIntegers(...names: string[]): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const query = request.query as Record<string, unknown>;
    for (const name of names) {
      const value = query[name];
      if (typeof value === "string" && /^-?(0|[1-9]\d{0,14})$/.test(value)) query[name] = Number(value);
    }
  };
}
