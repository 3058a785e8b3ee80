import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Accounts } from "../access/accounts.ts";
import type { Authorization } from "../access/authorization.ts";
import type { Limits } from "../access/limits.ts";
import type { People } from "../access/people.ts";
import type { User } from "../access/users.ts";
import { ApiError } from "../errors.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { requireId } from "./path-id.ts";
import { givenPasswordSchema, passwordSchema, personNameSchema, userSchema } from "./people-schema.ts";
import { applyLimit } from "./rate-limit.ts";
import { nullable, reference, timestamp } from "./schema.ts";

const PASSWORD_CHANGES_PER_HOUR = 20;

export const accountSchema = Type.Object(
  {
    ...userSchema.properties,
    hasPassword: Type.Boolean({ description: "False for people who sign in at the OIDC provider alone." }),
  },
  { $id: "Account" },
);

export const openSessionSchema = Type.Object(
  {
    id: Type.String(),
    isCurrent: Type.Boolean({ description: "It is the one that asks." }),
    userAgent: nullable(Type.String({ description: "What the browser calls itself." })),
    address: nullable(Type.String({ description: "The IP address that it was last used from." })),
    createdAt: timestamp("When it began."),
    lastSeenAt: timestamp("When it was last used, to a few minutes."),
    expiresAt: timestamp("When it ends, unless it is used before."),
  },
  { $id: "OpenSession" },
);

export const openSessionListSchema = Type.Object(
  { sessions: Type.Array(reference(openSessionSchema)) },
  { $id: "OpenSessionList" },
);

export interface AccountRoutesDependencies {
  accounts: Accounts;
  people: Pick<People, "signOut">;
  limits: Limits;
  authorization: Authorization;
}

/** What people change of themselves, each with their own session. Refusals come in the order 401, 403, the body, 404, 409. */
export function createAccountRoutes(dependencies: AccountRoutesDependencies): FastifyPluginAsyncTypebox {
  const { accounts, people, limits, authorization } = dependencies;
  const route = { tags: ["People"], security: [{ session: [] }] };

  async function describe(user: User) {
    return { ...user, hasPassword: await accounts.hasPassword(user.id) };
  }

  return async (app) => {
    app.addHook("onRequest", async (request) => void (await authorization.requirePerson(request)));

    await app.register(async (jsonApp) => {
      acceptJsonBody(jsonApp);
      const json = jsonApp.withTypeProvider<TypeBoxTypeProvider>();

      json.patch(
        "/v1/account",
        {
          schema: {
            ...route,
            operationId: "updateAccount",
            summary: "Change one's own name",
            body: Type.Object({ name: personNameSchema }),
            response: {
              200: reference(accountSchema, "The account."),
              ...errorResponses(400, 401, 403, 413, 415, 503),
            },
          },
        },
        async (request) => {
          const { user } = await authorization.requirePerson(request);
          const name = request.body.name.trim();
          await accounts.rename(user.id, name);
          return await describe({ ...user, name });
        },
      );

      json.post(
        "/v1/account/password",
        {
          schema: {
            ...route,
            operationId: "changePassword",
            summary: "Change one's own password",
            description: "Ends every other session of the account.",
            body: Type.Object({ currentPassword: givenPasswordSchema, newPassword: passwordSchema }),
            response: {
              204: Type.Null({ description: "Changed." }),
              ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
            },
          },
        },
        async (request, reply) => {
          const { user, id } = await authorization.requirePerson(request);
          const { currentPassword: current, newPassword: next } = request.body;
          const limit = await limits.take(`password-change ${user.id}`, PASSWORD_CHANGES_PER_HOUR);
          applyLimit(reply, limit, "Too many attempts");
          const changed = await accounts.changePassword(
            user.id,
            { current, next },
            { sessionId: id, actor: authorization.actorOf(request) },
          );
          if ("refused" in changed) throw refusal(changed.refused);
          return reply.code(204).send(null);
        },
      );
    });

    await app.register(async (plainApp) => {
      ignoreBody(plainApp);
      const plain = plainApp.withTypeProvider<TypeBoxTypeProvider>();

      plain.get(
        "/v1/account",
        {
          schema: {
            ...route,
            operationId: "getAccount",
            summary: "One's own account",
            response: { 200: reference(accountSchema, "The account."), ...errorResponses(401, 403, 503) },
          },
        },
        async (request) => await describe((await authorization.requirePerson(request)).user),
      );

      plain.get(
        "/v1/account/sessions",
        {
          schema: {
            ...route,
            operationId: "listSessions",
            summary: "Where one is signed in",
            description: "Last used first.",
            response: {
              200: reference(openSessionListSchema, "Sessions that have not ended."),
              ...errorResponses(401, 403, 503),
            },
          },
        },
        async (request) => {
          const { user, id } = await authorization.requirePerson(request);
          const sessions = await accounts.listSessions(user.id);
          return { sessions: sessions.map((session) => ({ ...session, isCurrent: session.id === id })) };
        },
      );

      plain.delete(
        "/v1/account/sessions/:sessionId",
        {
          schema: {
            ...route,
            operationId: "endSession",
            summary: "Sign out one browser",
            params: Type.Object({ sessionId: Type.String({ description: "The session's id." }) }),
            response: { 204: Type.Null({ description: "Ended." }), ...errorResponses(401, 403, 404, 503) },
          },
        },
        async (request, reply) => {
          const { user } = await authorization.requirePerson(request);
          if (!(await accounts.endSession(user.id, requireId(request.params.sessionId))))
            throw new ApiError("not_found");
          return reply.code(204).send(null);
        },
      );

      plain.delete(
        "/v1/account/sessions",
        {
          schema: {
            ...route,
            operationId: "endSessions",
            summary: "Sign out everywhere",
            description: "Also here.",
            response: { 204: Type.Null({ description: "Ended." }), ...errorResponses(401, 403, 503) },
          },
        },
        async (request, reply) => {
          const { user } = await authorization.requirePerson(request);
          const { cookies } = await people.signOut(request);
          await accounts.endSessions(user.id);
          return reply.code(204).header("set-cookie", cookies).send(null);
        },
      );
    });
  };
}

function refusal(refused: "wrong" | "none"): ApiError {
  return refused === "wrong"
    ? new ApiError("forbidden", { message: "The present password is another one." })
    : new ApiError("conflict", { message: "This account has no password: sign in where you always do." });
}
