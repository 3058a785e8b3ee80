import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { People } from "../access/people.ts";
import { DEVICE_DAYS, type SignInLimits } from "../access/sign-in-limits.ts";
import { ApiError } from "../errors.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import { errorResponses } from "./error-answers.ts";
import { createGate } from "./gate.ts";
import { describeSession, givenPasswordSchema, sessionSchema, type SignInWays } from "./people-schema.ts";
import { applyLimit } from "./rate-limit.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { reference } from "./schema.ts";

const credentialsSchema = Type.Object({
  email: Type.String({ minLength: 3, maxLength: 320, format: "line" }),
  password: givenPasswordSchema,
});

/** Each takes a tenth of a second of a processor, 32 MiB, and one of the four threads that also read files. */
const PASSWORDS_AT_ONCE_MAX = 2;
const SIGN_INS_WAITING_MAX = 100;

export interface SessionRoutesDependencies {
  people: People;
  signInLimits: SignInLimits;
  ways: SignInWays;
  publicUrl: string;
}

/** Signing in and out, for browsers: the session is in a cookie that no script reads. */
export function createSessionRoutes(dependencies: SessionRoutesDependencies): FastifyPluginAsyncTypebox {
  const { people, signInLimits, ways, publicUrl } = dependencies;
  const sameOrigin = requireSameOrigin(publicUrl);
  const gate = createGate(PASSWORDS_AT_ONCE_MAX, SIGN_INS_WAITING_MAX);
  const { protocol, pathname } = new URL(publicUrl);
  const secure = protocol === "https:";
  const deviceCookie = `${secure ? "__Secure-" : ""}docent.device`;
  const route = { tags: ["People"], security: [] };

  return async (app) => {
    app.addHook("onRequest", async (_request, reply) => void reply.header("cache-control", "no-store"));

    await app.register(async (jsonApp) => {
      acceptJsonBody(jsonApp);
      jsonApp.withTypeProvider<TypeBoxTypeProvider>().post(
        "/v1/session",
        {
          onRequest: sameOrigin,
          schema: {
            ...route,
            operationId: "signIn",
            summary: "Sign in",
            body: credentialsSchema,
            response: {
              200: reference(sessionSchema, "Signed in; the cookie is set."),
              ...errorResponses(400, 401, 403, 413, 415, 429, 503),
            },
          },
        },
        async (request, reply) => {
          if (!ways.passwordSignIn)
            throw new ApiError("forbidden", { message: "Nobody signs in with a password here." });
          const { email, password } = request.body;
          const device = readCookie(request.headers.cookie, deviceCookie);
          const attempt = await signInLimits.take({ address: request.ip, email, device });
          applyLimit(reply, attempt.limit, "That was wrong too often");
          const leave = await gate.enter();
          if (leave === undefined) {
            await attempt.takeBack();
            throw new ApiError("unavailable", {
              message: "Too many people sign in at once. Try again in a moment.",
              headers: { "retry-after": "1" },
            });
          }
          const signedIn = await people.signIn(request, { email, password }).finally(leave);
          if (signedIn === undefined) {
            throw new ApiError("unauthorized", { message: "E-mail and password do not fit." });
          }
          await attempt.takeBack();
          const remembered = writeCookie(deviceCookie, signInLimits.rememberDevice(email), {
            path: `${pathname.replace(/\/$/, "")}/v1/session`,
            seconds: DEVICE_DAYS * 86_400,
            secure,
          });
          void reply.header("set-cookie", [...signedIn.cookies, remembered]);
          return describeSession(ways, signedIn);
        },
      );
    });

    await app.register(async (plainApp) => {
      ignoreBody(plainApp);
      const plain = plainApp.withTypeProvider<TypeBoxTypeProvider>();

      plain.get(
        "/v1/session",
        {
          schema: {
            ...route,
            operationId: "getSession",
            summary: "Who is signed in",
            response: { 200: reference(sessionSchema, "The session of the cookie."), ...errorResponses(503) },
          },
        },
        async (request, reply) => {
          const session = await people.renewSession(request);
          if (session !== undefined) void reply.header("set-cookie", session.cookies);
          return describeSession(ways, session);
        },
      );

      plain.delete(
        "/v1/session",
        {
          onRequest: sameOrigin,
          schema: {
            ...route,
            operationId: "signOut",
            summary: "Sign out",
            response: { 204: Type.Null({ description: "Signed out." }), ...errorResponses(403, 503) },
          },
        },
        async (request, reply) => {
          const { cookies } = await people.signOut(request);
          return reply.code(204).header("set-cookie", cookies).send(null);
        },
      );
    });
  };
}
