import { createHash, timingSafeEqual } from "node:crypto";
import type { KeyScope, Role } from "../database/schema.ts";
import { ApiError, ERRORS } from "../errors.ts";
import type { Actor } from "./audit-log.ts";
import type { Authentication, Keys } from "./keys.ts";
import type { People, Session, SessionRequest } from "./people.ts";
import { isSameOrigin, type SentByBrowser } from "./same-origin.ts";
import { ROLES, type User } from "./users.ts";

/** The part of a request that says who sent it. A FastifyRequest is one; its `ip` has the trusted proxies resolved. */
export interface AuthorizedRequest extends SessionRequest, SentByBrowser {
  method: string;
  headers: SessionRequest["headers"] & SentByBrowser["headers"] & { authorization?: string | undefined };
}

/** Who a request speaks for. `administrator` holds the admin token. */
export type Caller =
  | { type: "administrator" }
  | { type: "user"; user: User }
  | { type: "key"; id: string; name: string; projectId: string; scope: KeyScope };

/** What a key of each scope may do. */
const GRANTS: Record<KeyScope, readonly KeyScope[]> = {
  admin: ["admin", "write", "read", "collect"],
  write: ["write", "read"],
  read: ["read"],
  collect: ["collect"],
};

/** The scope of a person's session, in every project. */
const ROLE_SCOPES: Record<Role, KeyScope> = { viewer: "read", editor: "admin", owner: "admin" };
const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];

export interface Authorization {
  /**
   * A key of the project, or a person, with the scope.
   * @throws ApiError 401 without either that counts; 403 for a key of another project, scope or address, and for a role
   * that does not have the scope; 404 for a person where there is no such project.
   */
  requireScope(request: AuthorizedRequest, projectId: string, scope: KeyScope): Promise<void>;
  /** The administrator too. */
  requireScopeOrAdministrator(request: AuthorizedRequest, projectId: string, scope: KeyScope): Promise<void>;
  /**
   * The administrator, or a person who has the role or a higher one.
   * @throws ApiError 401 without either, 403 for a lower role and for an API key.
   */
  requireRole(request: AuthorizedRequest, role: Role): Promise<void>;
  /** The administrator alone. */
  requireAdministrator(request: AuthorizedRequest): Promise<void>;
  /**
   * A person, for what concerns themselves.
   * @throws ApiError 401 without a session, 403 for keys and the admin token.
   */
  requirePerson(request: AuthorizedRequest): Promise<Session>;
  /** Who made a request that one of the above let pass. */
  callerOf(request: AuthorizedRequest): Caller;
  /** The same, for the audit log. */
  actorOf(request: AuthorizedRequest): Actor;
  /** For protocols with an own way to carry the key, like git. Undefined for a key that does not count here. */
  authenticateKey(key: string, address: string): Promise<{ projectId: string; scope: KeyScope } | undefined>;
}

export interface AuthorizationDependencies {
  keys: Keys;
  people: Pick<People, "readSession">;
  projectExists(projectId: string): Promise<boolean>;
  adminToken: string;
  publicUrl: string;
}

/** Decides who may do what. Nothing tells the holder of a key whether a project exists that is not theirs. */
export function createAuthorization(dependencies: AuthorizationDependencies): Authorization {
  const { keys, people, projectExists, adminToken } = dependencies;
  const publicUrl = new URL(dependencies.publicUrl);
  const adminTokenHash = sha256(adminToken);
  const callers = new WeakMap<AuthorizedRequest, Caller>();

  // Both sides are hashed first, so that the comparison takes the same time for tokens of any length.
  const isAdminToken = (token: string): boolean => timingSafeEqual(sha256(token), adminTokenHash);

  async function requireKey(request: AuthorizedRequest, projectId: string, scope: KeyScope): Promise<void> {
    const token = bearerToken(request);
    const key = await keys.authenticate(token, request.ip);
    if ("refused" in key) throw refusal(key.refused, isAdminToken(token));
    if (key.projectId !== projectId) {
      throw new ApiError("forbidden", { message: "This key belongs to another project." });
    }
    if (!GRANTS[key.scope].includes(scope)) {
      throw new ApiError("forbidden", {
        message: `This key has the scope ${key.scope}; this operation needs ${scopesThatGrant(scope)}.`,
      });
    }
    const { keyId: id, name } = key;
    callers.set(request, { type: "key", id, name, projectId, scope: key.scope });
  }

  /** The person of the session cookie. */
  async function readPerson(request: AuthorizedRequest): Promise<Session> {
    const session = await people.readSession(request);
    if (session === undefined) {
      throw new ApiError("unauthorized", { message: "You are not signed in, or no longer. Sign in again." });
    }
    if (!SAFE_METHODS.includes(request.method) && !isSameOrigin(request, publicUrl)) {
      throw new ApiError("forbidden", { message: "This request came from a page of another site." });
    }
    callers.set(request, { type: "user", user: session.user });
    return session;
  }

  async function requireScope(request: AuthorizedRequest, projectId: string, scope: KeyScope): Promise<void> {
    if (!hasSessionOnly(request)) return await requireKey(request, projectId, scope);
    const { role } = (await readPerson(request)).user;
    if (!GRANTS[ROLE_SCOPES[role]].includes(scope)) throw notForRole(role);
    if (!(await projectExists(projectId))) throw new ApiError("not_found");
  }

  async function requireAdminToken(request: AuthorizedRequest): Promise<void> {
    const token = bearerToken(request, "Send the admin token: Authorization: Bearer <the text of admin.token>");
    if (isAdminToken(token)) {
      callers.set(request, { type: "administrator" });
      return;
    }
    const key = await keys.authenticate(token, request.ip);
    if ("refused" in key && key.refused === "unknown") {
      throw unauthorized(
        "invalid",
        "This is not the admin token; it is in the file admin.token of the data directory.",
      );
    }
    throw new ApiError("forbidden", { message: "This needs the admin token; an API key cannot do it." });
  }

  function callerOf(request: AuthorizedRequest): Caller {
    const caller = callers.get(request);
    if (caller === undefined) throw new Error("Nobody has asked yet who makes this request.");
    return caller;
  }

  return {
    requireScope,

    async requireScopeOrAdministrator(request, projectId, scope) {
      if (hasSessionOnly(request) || !isAdminToken(bearerToken(request))) {
        return await requireScope(request, projectId, scope);
      }
      callers.set(request, { type: "administrator" });
    },

    async requireRole(request, wanted) {
      if (hasSessionOnly(request)) {
        const { role } = (await readPerson(request)).user;
        if (ROLES.indexOf(role) < ROLES.indexOf(wanted)) throw notForRole(role);
        return;
      }
      await requireAdminToken(request);
    },

    async requireAdministrator(request) {
      if (!hasSessionOnly(request)) return await requireAdminToken(request);
      await readPerson(request);
      throw new ApiError("forbidden", { message: "This needs the admin token; no role includes it." });
    },

    async requirePerson(request) {
      if (request.headers.authorization === undefined) return await readPerson(request);
      throw new ApiError("forbidden", { message: "This is for people who are signed in, about themselves." });
    },

    callerOf,

    actorOf(request) {
      const caller = callerOf(request);
      const address = request.ip;
      switch (caller.type) {
        case "administrator":
          return { type: "administrator", id: null, name: "the administrator", address };
        case "user":
          return { type: "user", id: caller.user.id, name: caller.user.name, address };
        case "key":
          return { type: "key", id: caller.id, name: caller.name, address };
      }
    },

    async authenticateKey(key, address) {
      const found = await keys.authenticate(key, address);
      return "refused" in found ? undefined : { projectId: found.projectId, scope: found.scope };
    },
  };
}

function hasSessionOnly({ headers }: AuthorizedRequest): boolean {
  return headers.authorization === undefined && headers.cookie !== undefined;
}

function notForRole(role: Role): ApiError {
  return new ApiError("forbidden", { message: `Your role, ${role}, does not include this. Ask an owner.` });
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
