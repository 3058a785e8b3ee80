import { betterAuth } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import type { Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";
import { createId } from "../ids.ts";
import type { Log } from "../log.ts";

export interface AuthDependencies {
  database: Kysely<Schema>;
  /** Signs the cookies. */
  secret: string;
  publicUrl: string;
  clock: () => Date;
  log: Pick<Log, "warn">;
}

export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 200;
/** Of a session, from when it was last renewed. */
export const SESSION_MS = 7 * 86_400_000;
/** From then on a session in use is renewed. */
const RENEWAL_MS = 86_400_000;

/** Better-auth on our own tables. None of its routes is served: it is called, and our routes answer. */
export function createAuth({ database, secret, publicUrl, clock, log }: AuthDependencies) {
  return betterAuth({
    baseURL: publicUrl,
    basePath: "/v1/auth",
    secret,
    database: { db: database, type: "postgres", transaction: true },
    telemetry: { enabled: false },
    logger: {
      log(level, message, ...details) {
        if (level !== "error" && ORDINARY_REFUSALS.has(message)) return;
        const [error] = details;
        log.warn(error instanceof Error ? { err: error } : {}, `sign-ins: ${message}`);
      },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_CHARACTERS_MIN,
      maxPasswordLength: PASSWORD_CHARACTERS_MAX,
    },
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
      expiresIn: SESSION_MS / 1000,
      updateAge: RENEWAL_MS / 1000,
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
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER], ipv6Subnet: 128 },
      database: { generateId: ({ model }) => createId(ID_PREFIXES[model] ?? "auth", clock()) },
    },
    plugins: [{ id: "docent", endpoints: { startSession } }],
  });
}

/** Begins a session for somebody who has shown who they are in another way than by a password. */
const startSession = createAuthEndpoint.serverOnly(
  { method: "POST", requireHeaders: true, metadata: { $Infer: { body: {} as { userId: string } } } },
  async (context) => {
    const { userId } = context.body;
    const { internalAdapter } = context.context;
    const user = await internalAdapter.findUserById(userId);
    if (user === null) return null;
    const session = await internalAdapter.createSession(userId);
    await setSessionCookie(context, { session, user });
    return { expiresAt: session.expiresAt };
  },
);

/** Everyday wrong passwords, which the answer tells of and the log need not. */
const ORDINARY_REFUSALS: ReadonlySet<string> = new Set(["User not found", "Password not found", "Invalid password"]);
const ID_PREFIXES: Readonly<Record<string, string>> = { user: "usr", session: "ses", account: "acc" };
const ADDRESS_HEADER = "x-docent-address";

/** The part of a request that sessions live in. */
export interface SessionRequest {
  headers: { cookie?: string | undefined; "user-agent"?: string | undefined };
  ip: string;
}

/** A request as better-auth takes it. */
export function headersOf({ headers, ip }: SessionRequest): Headers {
  const given = new Headers({ [ADDRESS_HEADER]: ip });
  if (headers.cookie !== undefined) given.set("cookie", headers.cookie);
  if (headers["user-agent"] !== undefined) given.set("user-agent", headers["user-agent"]);
  return given;
}
