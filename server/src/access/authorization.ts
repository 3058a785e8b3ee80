import { createHash, timingSafeEqual } from "node:crypto";
import type { KeyScope } from "../database/schema.ts";
import { ApiError, ERRORS } from "../errors.ts";
import type { Authentication, Keys } from "./keys.ts";

/** The part of a request that says who sent it. A FastifyRequest is one; its `ip` has the trusted proxies resolved. */
export interface AuthorizedRequest {
  headers: { authorization?: string | undefined };
  ip: string;
}

/** What a key of each scope may do. */
const GRANTS: Record<KeyScope, readonly KeyScope[]> = {
  admin: ["admin", "write", "read", "collect"],
  write: ["write", "read"],
  read: ["read"],
  collect: ["collect"],
};

export interface Authorization {
  /** @throws ApiError 401 without a key that counts, 403 for a key of another project, scope or address. */
  requireKey(request: AuthorizedRequest, projectId: string, scope: KeyScope): Promise<void>;
  /** The administrator, or a key as in `requireKey`. */
  requireKeyOrAdministrator(request: AuthorizedRequest, projectId: string, scope: KeyScope): Promise<void>;
  /** @throws ApiError 401 without the admin token, 403 for an API key. */
  requireAdministrator(request: AuthorizedRequest): Promise<void>;
  /** For protocols with an own way to carry the key, like git. Undefined for a key that does not count here. */
  authenticateKey(key: string, address: string): Promise<{ projectId: string; scope: KeyScope } | undefined>;
}

/** Decides who may do what. Nothing tells a caller whether a project exists that is not theirs. */
export function createAuthorization({ keys, adminToken }: { keys: Keys; adminToken: string }): Authorization {
  const adminTokenHash = sha256(adminToken);

  // Both sides are hashed first, so that the comparison takes the same time for tokens of any length.
  const isAdminToken = (token: string): boolean => timingSafeEqual(sha256(token), adminTokenHash);

  async function requireKey(request: AuthorizedRequest, projectId: string, scope: KeyScope): Promise<void> {
    const token = bearerToken(request);
    const key = await keys.authenticate(token, request.ip);
    if (!("refused" in key)) {
      if (key.projectId !== projectId) {
        throw new ApiError("forbidden", { message: "This key belongs to another project." });
      }
      if (!GRANTS[key.scope].includes(scope)) {
        throw new ApiError("forbidden", {
          message: `This key has the scope ${key.scope}; this operation needs ${scopesThatGrant(scope)}.`,
        });
      }
      return;
    }
    throw refusal(key.refused, isAdminToken(token));
  }

  return {
    requireKey,

    async requireKeyOrAdministrator(request, projectId, scope) {
      if (!isAdminToken(bearerToken(request))) await requireKey(request, projectId, scope);
    },

    async requireAdministrator(request) {
      const token = bearerToken(request, "Send the admin token: Authorization: Bearer <the text of admin.token>");
      if (isAdminToken(token)) return;
      const key = await keys.authenticate(token, request.ip);
      if ("refused" in key && key.refused === "unknown") {
        throw unauthorized(
          "invalid",
          "This is not the admin token; it is in the file admin.token of the data directory.",
        );
      }
      throw new ApiError("forbidden", { message: "This needs the admin token; an API key cannot do it." });
    },

    async authenticateKey(key, address) {
      const found = await keys.authenticate(key, address);
      return "refused" in found ? undefined : { projectId: found.projectId, scope: found.scope };
    },
  };
}

function refusal(refused: Extract<Authentication, { refused: string }>["refused"], isAdminToken: boolean): ApiError {
  if (refused === "address_not_allowed") {
    return new ApiError("forbidden", { message: "This key may not be used from this address." });
  }
  return unauthorized(
    "invalid",
    isAdminToken
      ? "This is the admin token; this operation needs an API key of the project."
      : "This API key is unknown, revoked or expired.",
  );
}

/** RFC 6750: the challenge names an error only when there was a token. */
function unauthorized(token: "missing" | "invalid", message: string = ERRORS.unauthorized.message): ApiError {
  const error = token === "invalid" ? ', error="invalid_token"' : "";
  return new ApiError("unauthorized", { message, headers: { "www-authenticate": `Bearer realm="Docent"${error}` } });
}

function bearerToken(request: AuthorizedRequest, missing?: string): string {
  const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) throw unauthorized("missing", missing);
  return token;
}

function scopesThatGrant(scope: KeyScope): string {
  const scopes = Object.entries(GRANTS).flatMap(([owner, granted]) => (granted.includes(scope) ? [owner] : []));
  return scopes.toReversed().join(" or ");
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
