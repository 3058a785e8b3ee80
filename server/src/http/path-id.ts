import { ApiError } from "../errors.ts";

/**
 * Passes an id from a path on when it can be one at all. Everything else names nothing, and some of it, like NUL, must
 * not reach PostgreSQL.
 * @throws ApiError 404
 */
export function requireId(id: string): string {
  if (!/^[a-z]{1,10}_[0-9A-Za-z]{1,64}$/.test(id)) throw new ApiError("not_found");
  return id;
}
