import type { FastifyReply, FastifyRequest } from "fastify";
import type { Secret } from "../../access/secret.ts";
import type { KeyScope } from "../../database/schema.ts";

export type PageAccess = "none" | "read" | "write";

const COOKIE = "docent_pages";
const HOURS = 12;
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export interface PageAccessDependencies {
  /** Everyone who reaches the server reads and merges. Right only where the server listens on loopback alone. */
  openPages: boolean;
  publicUrl: string;
  secret: Secret;
  clock: () => Date;
}

/** Who may see and use a project's pages, and that a form was sent by one of our own pages. */
export interface PageGuard {
  access(request: FastifyRequest, projectId: string): PageAccess;
  /** False when open pages are asked for under a name that is not ours: a foreign site could be behind it (DNS rebinding). */
  isOurHost(request: FastifyRequest): boolean;
  /** Keeps the browser signed in; the cookie holds a token of ours, not the key. */
  signIn(request: FastifyRequest, reply: FastifyReply, projectId: string, scope: KeyScope): void;
  /** What a form of this page carries, so that no other site can make a browser send it. */
  formToken(projectId: string, number: number): string;
  isOwnForm(request: FastifyRequest, token: string | undefined, projectId: string, number: number): boolean;
}

function readCookie(header: string | undefined): string | undefined {
  const found = (header ?? "").split(";").find((part) => part.trim().startsWith(`${COOKIE}=`));
  return found?.trim().slice(COOKIE.length + 1);
}

export function createPageGuard({ openPages, publicUrl, secret, clock }: PageAccessDependencies): PageGuard {
  const ours = new URL(publicUrl);

  function isOurHost(request: FastifyRequest): boolean {
    const host = request.headers.host ?? "";
    if (host === ours.host) return true;
    return LOOPBACK.includes(host.replace(/:\d+$/, "").toLowerCase());
  }

  function isSameOrigin(request: FastifyRequest): boolean {
    const site = request.headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin") return false;
    const { origin } = request.headers;
    // Every browser sends one of the two with a form; a page of another origin cannot forge either.
    if (origin === undefined) return site === "same-origin";
    if (origin === ours.origin) return true;
    return URL.canParse(origin) && new URL(origin).host === request.headers.host;
  }

  const inHours = () => new Date(clock().getTime() + HOURS * 3_600_000);
  const formClaims = (projectId: string, number: number) => `form ${projectId} ${number}`;

  return {
    isOurHost,

    access(request, projectId) {
      if (openPages) return isOurHost(request) ? "write" : "none";
      const claims = secret.verify(readCookie(request.headers.cookie) ?? "", clock());
      if (claims === `pages ${projectId} write`) return "write";
      return claims === `pages ${projectId} read` ? "read" : "none";
    },

    signIn(request, reply, projectId, scope) {
      const access = scope === "write" || scope === "admin" ? "write" : "read";
      const token = secret.mint(`pages ${projectId} ${access}`, inHours());
      const secure = ours.protocol === "https:" || request.protocol === "https" ? "; Secure" : "";
      void reply.header(
        "set-cookie",
        `${COOKIE}=${token}; Path=/projects/${projectId}; Max-Age=${HOURS * 3600}; HttpOnly; SameSite=Lax${secure}`,
      );
    },

    formToken: (projectId, number) => secret.mint(formClaims(projectId, number), inHours()),

    isOwnForm(request, token, projectId, number) {
      if (!isSameOrigin(request) || (openPages && !isOurHost(request))) return false;
      return secret.verify(token ?? "", clock()) === formClaims(projectId, number);
    },
  };
}
