import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { Limits } from "../access/limits.ts";
import { SIGN_IN_SECONDS_MAX, type OidcRefusal, type OidcSignIn } from "../access/oidc/oidc.ts";
import type { People } from "../access/people.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import { errorResponses } from "./error-answers.ts";
import { applyLimit } from "./rate-limit.ts";

const REQUESTS_PER_ADDRESS_AND_HOUR = 200;
const PATH = "/v1/sign-in/oidc";

/** Where the provider sends browsers back to. */
export function oidcRedirectUri(publicUrl: string): string {
  return `${publicUrl}${PATH}/callback`;
}

export interface OidcRoutesDependencies {
  oidc: OidcSignIn;
  people: Pick<People, "startSession">;
  limits: Limits;
  publicUrl: string;
}

const elsewhere = { 302: Type.Null({ description: "`Location` is where the browser goes on." }) };

/**
 * The way to the OpenID Connect provider and back, for browsers: both answer with where to go on. What is refused leads to the
 * sign-in page, which says why.
 */
export function createOidcRoutes({
  oidc,
  people,
  limits,
  publicUrl,
}: OidcRoutesDependencies): FastifyPluginAsyncTypebox {
  const { protocol, pathname } = new URL(publicUrl);
  const secure = protocol === "https:";
  const cookieName = `${secure ? "__Secure-" : ""}docent.oidc`;
  const cookiePath = `${pathname.replace(/\/$/, "")}${PATH}`;
  const cookie = (value: string, seconds: number) =>
    writeCookie(cookieName, value, { path: cookiePath, seconds, secure });
  const route = { tags: ["People"], security: [] };

  function refuse(reply: FastifyReply, reason: OidcRefusal): FastifyReply {
    return reply.redirect(`${publicUrl}/sign-in?refused=${reason}`, 302);
  }

  return async (app) => {
    app.addHook("onRequest", async (_request, reply) => void reply.header("cache-control", "no-store"));
    app.addHook("preHandler", async (request, reply) => {
      const limit = await limits.take(`oidc ${request.ip}`, REQUESTS_PER_ADDRESS_AND_HOUR);
      applyLimit(reply, limit, "Too many sign-ins from this address");
    });
    const typed = app.withTypeProvider<TypeBoxTypeProvider>();

    typed.get(
      PATH,
      {
        schema: {
          ...route,
          operationId: "beginOidcSignIn",
          summary: "Sign in at the OIDC provider",
          description: "For browsers. It is there when an OIDC provider is set up.",
          querystring: Type.Object({
            next: Type.Optional(
              Type.String({ maxLength: 2000, description: "A path of this service, for when they are signed in." }),
            ),
          }),
          response: { ...elsewhere, ...errorResponses(400, 429, 503) },
        },
      },
      async (request, reply) => {
        const begun = await oidc.begin(ownPath(request.query.next, publicUrl));
        if ("refused" in begun) return refuse(reply, begun.refused);
        void reply.header("set-cookie", cookie(begun.state, SIGN_IN_SECONDS_MAX));
        return reply.redirect(begun.url, 302);
      },
    );

    typed.get(
      `${PATH}/callback`,
      {
        schema: {
          ...route,
          operationId: "finishOidcSignIn",
          summary: "Come back from the OIDC provider",
          description:
            "For browsers. Signs in and leads to where they wanted to go; what is refused leads to the sign-in page.",
          response: { ...elsewhere, ...errorResponses(429, 503) },
        },
      },
      async (request, reply) => {
        const answer = new URL(request.url, publicUrl).searchParams;
        const state = readCookie(request.headers.cookie, cookieName);
        const finished = await oidc.finish(answer, { state, address: request.ip });
        void reply.header("set-cookie", cookie("", 0));
        if ("refused" in finished) return refuse(reply, finished.refused);
        const session = await people.startSession(request, finished.user.id);
        if (session === undefined) return refuse(reply, "expired");
        // Added to the one above.
        void reply.header("set-cookie", session.cookies);
        return reply.redirect(new URL(finished.next, publicUrl).href, 302);
      },
    );
  };
}

/** A path of this service, never where a crafted link points. */
function ownPath(next: string | undefined, publicUrl: string): string {
  if (next === undefined || !next.startsWith("/") || !URL.canParse(next, publicUrl)) return "/";
  const url = new URL(next, publicUrl);
  // A path like /.//evil.example is ours, and what is left of it when it is resolved leads elsewhere.
  if (url.origin !== new URL(publicUrl).origin || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}
