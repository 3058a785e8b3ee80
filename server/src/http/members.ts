import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Authorization } from "../access/authorization.ts";
import type { MemberRefusal, Members } from "../access/members.ts";
import { ApiError } from "../errors.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { requireId } from "./path-id.ts";
import { roleSchema } from "./people-schema.ts";
import { nullable, reference, timestamp } from "./schema.ts";

export const memberSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: roleSchema,
    createdAt: timestamp("When the account was made."),
    lastSeenAt: nullable(
      timestamp("When they last used a session that has not ended, to a few minutes; null without one."),
    ),
    hasPassword: Type.Boolean(),
    hasOidc: Type.Boolean({
      description: "They sign in at the OIDC provider, and their role follows their groups there at each sign-in.",
    }),
  },
  { $id: "Member" },
);

export const memberListSchema = Type.Object({ members: Type.Array(reference(memberSchema)) }, { $id: "MemberList" });

const parametersSchema = Type.Object({ id: Type.String({ description: "The member's id." }) });

/** Who may sign in. Refusals come in the order 401, 403, the body (413, 415, 400), 404, 409. */
export function createMemberRoutes({
  members,
  authorization,
}: {
  members: Members;
  authorization: Authorization;
}): FastifyPluginAsyncTypebox {
  const route = { tags: ["People"], security: [{ adminToken: [] }, { session: [] }] };

  return async (app) => {
    app.addHook("onRequest", (request) => authorization.requireRole(request, "owner"));

    await app.register(async (jsonApp) => {
      acceptJsonBody(jsonApp);
      jsonApp.withTypeProvider<TypeBoxTypeProvider>().patch(
        "/v1/members/:id",
        {
          schema: {
            ...route,
            operationId: "changeMemberRole",
            summary: "Change what somebody may do",
            description:
              "It counts from their next request on. Invitations that somebody made who is no owner any longer are revoked.",
            params: parametersSchema,
            body: Type.Object({ role: roleSchema }),
            response: {
              200: reference(memberSchema, "The member."),
              ...errorResponses(400, 401, 403, 404, 409, 413, 415, 503),
            },
          },
        },
        async (request) => {
          const { id } = request.params;
          const changed = await members.changeRole(requireId(id), request.body.role, authorization.actorOf(request));
          if ("refused" in changed) throw refusal(changed.refused);
          return changed;
        },
      );
    });

    await app.register(async (plainApp) => {
      ignoreBody(plainApp);
      const plain = plainApp.withTypeProvider<TypeBoxTypeProvider>();

      plain.get(
        "/v1/members",
        {
          schema: {
            ...route,
            operationId: "listMembers",
            summary: "List who may sign in",
            description: "By name.",
            response: { 200: reference(memberListSchema, "All members."), ...errorResponses(401, 403, 503) },
          },
        },
        async () => ({ members: await members.list() }),
      );

      plain.delete(
        "/v1/members/:id",
        {
          schema: {
            ...route,
            operationId: "removeMember",
            summary: "Remove somebody",
            description:
              "Their sessions end at once, and the invitations that they made are revoked. What they did stays, with their name.",
            params: parametersSchema,
            response: { 204: Type.Null({ description: "Removed." }), ...errorResponses(401, 403, 404, 409, 503) },
          },
        },
        async (request, reply) => {
          const removed = await members.remove(requireId(request.params.id), authorization.actorOf(request));
          if ("refused" in removed) throw refusal(removed.refused);
          return reply.code(204).send(null);
        },
      );
    });
  };
}

function refusal(refused: MemberRefusal): ApiError {
  if (refused === "not_found") return new ApiError("not_found");
  return new ApiError("conflict", {
    message: "This is the last owner. Make somebody else an owner first: somebody must be able to let others in.",
  });
}
