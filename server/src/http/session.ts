import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Limits } from "../access/limits.ts";
import type { People, User } from "../access/people.ts";
import { isSameOrigin } from "../access/same-origin.ts";
import { ApiError } from "../errors.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { applyLimit } from "./rate-limit.ts";
import { nullable, oneOf, reference, timestamp } from "./schema.ts";

const SIGN_INS_PER_ADDRESS_AND_HOUR = 60;
const SIGN_INS_PER_EMAIL_AND_HOUR = 20;

export const userSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: oneOf(["viewer", "editor", "owner"], {
      description:
        "`viewer`: reads. `editor`: also works inside the projects: jobs, pull requests, keys, settings. `owner`: also makes and deletes projects and decides who may sign in.",
    }),
  },
  { $id: "User" },
);

export const sessionSchema = Type.Object(
  {
    user: Type.Unsafe<User | null>({
      anyOf: [{ $ref: "User#" }, { type: "null" }],
      description: "Who is signed in; null when nobody is.",
    }),
    expiresAt: nullable(timestamp("When the session ends.")),
    passwordSignIn: Type.Boolean({ description: "People can sign in with e-mail and password." }),
    oidcSignIn: nullable(Type.String({ description: "What the OIDC provider is called that people sign in at." })),
  },
  { $id: "Session" },
);

const credentialsSchema = Type.Object({
  email: Type.String({ minLength: 3, maxLength: 320, format: "line" }),
  password: Type.String({ minLength: 1, maxLength: 200 }),
});

export interface SessionRoutesDependencies {
  people: People;
  limits: Limits;
  publicUrl: string;
}

/** Signing in and out, for browsers: the session is in a cookie that no script reads. */
export function createSessionRoutes({
  people,
  limits,
  publicUrl,
}: SessionRoutesDependencies): FastifyPluginAsyncTypebox {
  const ours = new URL(publicUrl);
  const route = { tags: ["People"] };

  async function requireSameOrigin(request: FastifyRequest): Promise<void> {
    if (!isSameOrigin(request, ours)) {
      throw new ApiError("forbidden", { message: "This request came from a page of another site." });
    }
  }

  function describe(user: User | null, expiresAt: Date | null) {
    return { user, expiresAt: expiresAt?.toISOString() ?? null, passwordSignIn: true, oidcSignIn: null };
  }

  return async (app) => {
    app.addHook("onRequest", async (_request, reply) => void reply.header("cache-control", "no-store"));

    await app.register(async (jsonApp) => {
      acceptJsonBody(jsonApp);
      jsonApp.withTypeProvider<TypeBoxTypeProvider>().post(
        "/v1/session",
        {
          onRequest: requireSameOrigin,
          schema: {
            ...route,
            operationId: "signIn",
            summary: "Sign in",
            security: [],
            body: credentialsSchema,
            response: {
              200: reference(sessionSchema, "Signed in; the cookie is set."),
              ...errorResponses(400, 401, 403, 413, 415, 429, 503),
            },
          },
        },
        async (request, reply) => {
          const { email, password } = request.body;
          applyLimit(reply, await limits.take(`sign-in ${request.ip}`, SIGN_INS_PER_ADDRESS_AND_HOUR));
          applyLimit(reply, await limits.take(`sign-in ${email.toLowerCase()}`, SIGN_INS_PER_EMAIL_AND_HOUR));
          const signedIn = await people.signIn(request, { email, password });
          if (signedIn === undefined) {
            throw new ApiError("unauthorized", { message: "E-mail and password do not fit." });
          }
          void reply.header("set-cookie", signedIn.cookies);
          return describe(signedIn.user, null);
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
            security: [],
            response: { 200: reference(sessionSchema, "The session of the cookie."), ...errorResponses(503) },
          },
        },
        async (request) => {
          const session = await people.readSession(request);
          return describe(session?.user ?? null, session?.expiresAt ?? null);
        },
      );

      plain.delete(
        "/v1/session",
        {
          onRequest: requireSameOrigin,
          schema: {
            ...route,
            operationId: "signOut",
            summary: "Sign out",
            security: [],
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
