import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Authorization } from "../access/authorization.ts";
import type { Invitations } from "../access/invitations.ts";
import { ApiError } from "../errors.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { invitationListSchema, newInvitationSchema } from "./invitation-schema.ts";
import { requireId } from "./path-id.ts";
import { emailSchema, roleSchema } from "./people-schema.ts";
import { nullable, reference } from "./schema.ts";

export interface InvitationRoutesDependencies {
  invitations: Invitations;
  authorization: Authorization;
  /** Without it nobody makes an account by a link. */
  passwordSignIn: boolean;
}

/** Who makes links that let somebody in. Refusals come in the order 401, 403, the body (413, 415, 400), 404, 409. */
export function createInvitationRoutes(dependencies: InvitationRoutesDependencies): FastifyPluginAsyncTypebox {
  const { invitations, authorization, passwordSignIn } = dependencies;
  const route = { tags: ["People"] };

  return async (app) => {
    await app.register(async (ownerApp) => {
      ownerApp.addHook("onRequest", (request) => authorization.requireRole(request, "owner"));
      const security = [{ adminToken: [] }, { session: [] }];

      await ownerApp.register(async (jsonApp) => {
        acceptJsonBody(jsonApp);
        jsonApp.withTypeProvider<TypeBoxTypeProvider>().post(
          "/v1/invitations",
          {
            schema: {
              ...route,
              security,
              operationId: "createInvitation",
              summary: "Invite somebody",
              description: "Makes a link for one use within seven days. Docent sends no mail: pass it on yourself.",
              body: Type.Object({
                role: roleSchema,
                email: Type.Optional(nullable(emailSchema)),
              }),
              response: {
                201: reference(newInvitationSchema, "The invitation, with its link."),
                ...errorResponses(400, 401, 403, 409, 413, 415, 503),
              },
            },
          },
          async (request, reply) => {
            if (!passwordSignIn) {
              throw new ApiError("conflict", {
                message:
                  "Password sign-in is off: people come by themselves, from the groups that DOCENT_OIDC_ROLES names.",
              });
            }
            const made = await invitations.create(request.body, authorization.actorOf(request));
            return reply.code(201).header("cache-control", "no-store").send(made);
          },
        );
      });

      await ownerApp.register(async (plainApp) => {
        ignoreBody(plainApp);
        const plain = plainApp.withTypeProvider<TypeBoxTypeProvider>();
        plain.get(
          "/v1/invitations",
          {
            schema: {
              ...route,
              security,
              operationId: "listInvitations",
              summary: "List the invitations that wait",
              description: "Newest first. Links themselves are not shown again.",
              response: {
                200: reference(invitationListSchema, "Those that can be accepted."),
                ...errorResponses(401, 403, 503),
              },
            },
          },
          async () => ({ invitations: await invitations.list() }),
        );

        plain.delete(
          "/v1/invitations/:id",
          {
            schema: {
              ...route,
              security,
              operationId: "revokeInvitation",
              summary: "Revoke an invitation",
              params: Type.Object({ id: Type.String({ description: "The invitation's id." }) }),
              response: { 204: Type.Null({ description: "Revoked." }), ...errorResponses(401, 403, 404, 503) },
            },
          },
          async (request, reply) => {
            const revoked = await invitations.revoke(requireId(request.params.id), authorization.actorOf(request));
            if (!revoked) throw new ApiError("not_found");
            return reply.code(204).send(null);
          },
        );
      });
    });

    await app.register(async (administratorApp) => {
      administratorApp.addHook("onRequest", (request) => authorization.requireAdministrator(request));
      acceptJsonBody(administratorApp);
      administratorApp.withTypeProvider<TypeBoxTypeProvider>().post(
        "/v1/invitations/recovery",
        {
          schema: {
            ...route,
            security: [{ adminToken: [] }],
            operationId: "recoverOwner",
            summary: "Let an owner in again",
            description:
              "Makes a link for one use within a day, with which the account of this e-mail address gets a new password and the role of an owner, or is made. It signs in even where password sign-in is off.",
            body: Type.Object({ email: emailSchema }),
            response: {
              201: reference(newInvitationSchema, "The link."),
              ...errorResponses(400, 401, 403, 413, 415, 503),
            },
          },
        },
        async (request, reply) => {
          const made = await invitations.recoverOwner(request.body.email, authorization.actorOf(request));
          return reply.code(201).header("cache-control", "no-store").send(made);
        },
      );
    });
  };
}
