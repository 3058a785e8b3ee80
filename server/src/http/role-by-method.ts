import type { Authorization, AuthorizedRequest } from "../access/authorization.ts";
import type { Role } from "../database/schema.ts";

/** Lets every person read (GET, HEAD), and those with a role change things; and the administrator both. */
export function requireRoleByMethod(authorization: Pick<Authorization, "requireRole">, toChange: Role) {
  return (request: AuthorizedRequest): Promise<void> =>
    authorization.requireRole(request, ["GET", "HEAD"].includes(request.method) ? "viewer" : toChange);
}
