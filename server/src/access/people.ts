import { hashPassword } from "better-auth/crypto";
import type { Role } from "../database/schema.ts";
import { createAuth, headersOf, SESSION_MS, type AuthDependencies, type SessionRequest } from "./auth.ts";
import { insertUser, type User } from "./users.ts";

export type { SessionRequest } from "./auth.ts";
export type { User } from "./users.ts";

export interface Session {
  id: string;
  user: User;
  expiresAt: Date;
}

/** What a browser is to be told: `Set-Cookie` headers. */
export interface SessionCookies {
  cookies: string[];
}

export interface People {
  /** Undefined without a session that counts. */
  readSession(request: SessionRequest): Promise<Session | undefined>;
  /** The same; a session that began a day ago or more lasts seven days again from now on. */
  renewSession(request: SessionRequest): Promise<(Session & SessionCookies) | undefined>;
  /** Signs somebody in who has shown who they are. Undefined when they have been removed meanwhile. */
  startSession(request: SessionRequest, userId: string): Promise<(SessionCookies & { expiresAt: Date }) | undefined>;
  /** Undefined when e-mail and password do not fit; it does not say which. */
  signIn(
    request: SessionRequest,
    credentials: { email: string; password: string },
  ): Promise<(SessionCookies & { user: User; expiresAt: Date }) | undefined>;
  signOut(request: SessionRequest): Promise<SessionCookies>;
  /** Makes a person with a password. Refused when the address is taken. */
  create(user: { name: string; email: string; role: Role; password: string }): Promise<User | { refused: "taken" }>;
}

/** How exactly it is known when a session was last used. */
const USE_MS = 300_000;

/** People who sign in, and their sessions, kept by better-auth in our own tables. */
export function createPeople(dependencies: AuthDependencies): People {
  const { database, clock } = dependencies;
  const auth = createAuth(dependencies);

  // A use is noted beside the request, which does not wait for it; one that is lost is noted with the next.
  function noteUse(session: { id: string; updatedAt: Date }, { headers, ip }: SessionRequest): void {
    const now = clock();
    if (now.getTime() - session.updatedAt.getTime() < USE_MS) return;
    database
      .updateTable("sessions")
      .set({ updated_at: now, ip_address: ip, user_agent: headers["user-agent"] ?? null })
      .where("id", "=", session.id)
      .execute()
      .catch(() => {});
  }

  /** Each sign-in takes along the sessions that have ended by themselves. */
  async function forgetEnded(): Promise<void> {
    await database.deleteFrom("sessions").where("expires_at", "<", clock()).execute();
  }

  async function read(request: SessionRequest, disableRefresh: boolean) {
    if (request.headers.cookie === undefined) return undefined;
    try {
      const { headers, response } = await auth.api.getSession({
        headers: headersOf(request),
        query: { disableRefresh },
        returnHeaders: true,
      });
      if (response === null) return undefined;
      const { session, user } = response;
      noteUse(session, request);
      return { id: session.id, user: toUser(user), expiresAt: session.expiresAt, cookies: headers.getSetCookie() };
    } catch (error) {
      throw causeOf(error);
    }
  }

  return {
    readSession: (request) => read(request, true),
    renewSession: (request) => read(request, false),

    async startSession(request, userId) {
      await forgetEnded();
      const { headers, response } = await auth.api.startSession({
        body: { userId },
        headers: headersOf(request),
        returnHeaders: true,
      });
      return response === null ? undefined : { expiresAt: response.expiresAt, cookies: headers.getSetCookie() };
    },

    async signIn(request, { email, password }) {
      try {
        const { headers, response } = await auth.api.signInEmail({
          body: { email, password },
          headers: headersOf(request),
          returnHeaders: true,
        });
        await forgetEnded();
        const expiresAt = new Date(clock().getTime() + SESSION_MS);
        return { user: toUser(response.user), expiresAt, cookies: headers.getSetCookie() };
      } catch (error) {
        if (isRefusal(error)) return undefined;
        throw causeOf(error);
      }
    },

    async signOut(request) {
      // By ourselves: better-auth takes the cookie away also where the session could not be ended.
      const session = await read(request, true);
      if (session !== undefined) await database.deleteFrom("sessions").where("id", "=", session.id).execute();
      const { headers } = await auth.api.signOut({ headers: headersOf(request), returnHeaders: true });
      return { cookies: headers.getSetCookie() };
    },

    async create({ password, ...user }) {
      const passwordHash = await hashPassword(password);
      return (
        (await insertUser(database, { ...user, passwordHash, emailVerified: true }, clock())) ?? { refused: "taken" }
      );
    },
  };
}

function toUser(user: { id: string; name: string; email: string; role?: unknown }): User {
  return { id: user.id, name: user.name, email: user.email, role: user.role as Role };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "statusCode" in error && (error.statusCode === 401 || error.statusCode === 400);
}

/** What better-auth wraps says whether the database is away. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
