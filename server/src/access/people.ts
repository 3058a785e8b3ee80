import { betterAuth } from "better-auth";
import type { Kysely } from "kysely";
import type { Role, Schema } from "../database/schema.ts";
import { createId } from "../ids.ts";

/** Somebody who may sign in. */
export interface User {
  id: string;
  name: string;
  email: string;
  role: Role;
}

export interface Session {
  user: User;
  expiresAt: Date;
}

/** The part of a request that sessions live in. */
export interface SessionRequest {
  headers: { cookie?: string | undefined; "user-agent"?: string | undefined };
  ip: string;
}

/** What a browser is to be told: `Set-Cookie` headers. */
export interface SessionCookies {
  cookies: string[];
}

export interface People {
  /** Undefined without a session that counts. */
  readSession(request: SessionRequest): Promise<Session | undefined>;
  /** Undefined when e-mail and password do not fit; it does not say which. */
  signIn(
    request: SessionRequest,
    credentials: { email: string; password: string },
  ): Promise<(SessionCookies & { user: User }) | undefined>;
  signOut(request: SessionRequest): Promise<SessionCookies>;
  /** Makes a person with a password. Refused when the address is taken. */
  create(user: { name: string; email: string; role: Role; password: string }): Promise<User | { refused: "taken" }>;
}

export interface PeopleDependencies {
  database: Kysely<Schema>;
  /** Signs the cookies. */
  secret: string;
  publicUrl: string;
  clock: () => Date;
}

const SESSION_DAYS = 7;
const SECONDS_A_DAY = 86_400;

/** People, their passwords and sessions, kept by better-auth in our own tables. */
export function createPeople({ database, secret, publicUrl, clock }: PeopleDependencies): People {
  const auth = betterAuth({
    baseURL: publicUrl,
    basePath: "/v1/auth",
    secret,
    database: { db: database, type: "postgres", transaction: true },
    telemetry: { enabled: false },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 200 },
    user: {
      modelName: "users",
      fields: { emailVerified: "email_verified", createdAt: "created_at", updatedAt: "updated_at" },
      additionalFields: { role: { type: "string", required: true, input: false } },
    },
    session: {
      modelName: "sessions",
      fields: {
        userId: "user_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
      expiresIn: SESSION_DAYS * SECONDS_A_DAY,
      updateAge: SECONDS_A_DAY,
    },
    account: {
      modelName: "accounts",
      fields: {
        userId: "user_id",
        accountId: "account_id",
        providerId: "provider_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        createdAt: "created_at",
        updatedAt: "updated_at",
      },
    },
    verification: {
      modelName: "verifications",
      fields: { expiresAt: "expires_at", createdAt: "created_at", updatedAt: "updated_at" },
    },
    advanced: {
      cookiePrefix: "docent",
      useSecureCookies: new URL(publicUrl).protocol === "https:",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/" },
      // Set by `headersOf` from the address that our own trusted proxies resolve to.
      ipAddress: { ipAddressHeaders: ["x-docent-address"] },
      database: { generateId: ({ model }) => createId(ID_PREFIXES[model] ?? "auth", clock()) },
    },
  });

  return {
    async readSession(request) {
      if (request.headers.cookie === undefined) return undefined;
      const found = await auth.api.getSession({ headers: headersOf(request) });
      if (found === null) return undefined;
      return { user: toUser(found.user), expiresAt: found.session.expiresAt };
    },

    async signIn(request, { email, password }) {
      try {
        const { headers, response } = await auth.api.signInEmail({
          body: { email, password },
          headers: headersOf(request),
          returnHeaders: true,
        });
        return { user: toUser(response.user), cookies: headers.getSetCookie() };
      } catch (error) {
        if (isRefusal(error)) return undefined;
        throw error;
      }
    },

    async signOut(request) {
      const { headers } = await auth.api.signOut({ headers: headersOf(request), returnHeaders: true });
      return { cookies: headers.getSetCookie() };
    },

    async create({ password, email, ...user }) {
      const context = await auth.$context;
      const address = email.toLowerCase();
      if ((await context.internalAdapter.findUserByEmail(address)) !== null) return { refused: "taken" };
      const created = await context.internalAdapter.createUser(
        { ...user, email: address, emailVerified: true },
        { method: "admin" },
      );
      await context.internalAdapter.linkAccount({
        userId: created.id,
        providerId: "credential",
        accountId: created.id,
        password: await context.password.hash(password),
      });
      return toUser(created);
    },
  };
}

const ID_PREFIXES: Readonly<Record<string, string>> = { user: "usr", session: "ses", account: "acc" };

function headersOf({ headers, ip }: SessionRequest): Headers {
  const given = new Headers({ "x-docent-address": ip });
  if (headers.cookie !== undefined) given.set("cookie", headers.cookie);
  if (headers["user-agent"] !== undefined) given.set("user-agent", headers["user-agent"]);
  return given;
}

function toUser(user: { id: string; name: string; email: string; role?: unknown }): User {
  return { id: user.id, name: user.name, email: user.email, role: user.role as Role };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "statusCode" in error && (error.statusCode === 401 || error.statusCode === 400);
}
