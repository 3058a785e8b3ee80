import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Actor } from "../access/audit-log.ts";
import type { Authorization } from "../access/authorization.ts";
import { ApiError } from "../errors.ts";
import type { CodeHostWebhook } from "../webhooks/in/code-host-secret.ts";
import type { Deliveries } from "../webhooks/out/deliveries.ts";
import type { SigningSecrets } from "../webhooks/out/signing-secrets.ts";
import { ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { requireRoleByMethod } from "./role-by-method.ts";
import { requireId } from "./path-id.ts";
import { projectIdParametersSchema } from "./project-schema.ts";
import { readIntegers } from "./query-integers.ts";
import { reference } from "./schema.ts";
import {
  codeHostWebhookSchema,
  webhookDeliveryListSchema,
  webhookDeliveryQuerySchema,
  webhookDeliverySchema,
  webhookSecretSchema,
} from "./webhook-schema.ts";

export interface WebhookAdministrationDependencies {
  deliveries: Deliveries;
  secrets: Pick<SigningSecrets, "rotate">;
  connectCodeHost(projectId: string, actor: Actor): Promise<CodeHostWebhook | { refused: "conflict" } | undefined>;
  authorization: Authorization;
}

/** What a project tells others, and how its code host tells Docent. Refusals come in the order 401, 403, 400, 404, 409. */
export function createWebhookAdministrationRoutes(
  dependencies: WebhookAdministrationDependencies,
): FastifyPluginAsyncTypebox {
  const { deliveries, secrets, connectCodeHost, authorization } = dependencies;
  return async (app) => {
    app.addHook("onRequest", requireRoleByMethod(authorization, "editor"));
    ignoreBody(app);
    const plain = app.withTypeProvider<TypeBoxTypeProvider>();
    const route = {
      tags: ["Webhooks"],
      security: [{ adminToken: [] }, { session: [] }],
      params: projectIdParametersSchema,
    };

    plain.get(
      "/v1/projects/:id/webhook-deliveries",
      {
        schema: {
          ...route,
          operationId: "listWebhookDeliveries",
          summary: "List what was sent to a project's webhook",
          description: "Newest first, for 30 days.",
          querystring: webhookDeliveryQuerySchema,
          response: {
            200: reference(webhookDeliveryListSchema, "One page of deliveries."),
            ...errorResponses(400, 401, 403, 404, 503),
          },
        },
        preValidation: readIntegers("limit"),
      },
      async (request) => {
        const { limit = 20, cursor, state } = request.query;
        const page = await deliveries.list(requireId(request.params.id), {
          limit,
          ...(cursor === undefined ? {} : { cursor }),
          ...(state === undefined ? {} : { state }),
        });
        if (page === undefined) throw new ApiError("not_found");
        return page;
      },
    );

    plain.post(
      "/v1/projects/:id/webhook-deliveries/:deliveryId/redeliver",
      {
        schema: {
          ...route,
          operationId: "redeliverWebhook",
          summary: "Send a delivery once more",
          description: "With the same id, and all attempts before it. The body is ignored.",
          params: Type.Object({
            ...projectIdParametersSchema.properties,
            deliveryId: Type.String({ description: "The delivery's id." }),
          }),
          response: {
            200: reference(webhookDeliverySchema, "The delivery, waiting again."),
            ...errorResponses(401, 403, 404, 503),
          },
        },
      },
      async (request) => {
        const { id, deliveryId } = request.params;
        const delivery = await deliveries.redeliver(requireId(id), requireId(deliveryId));
        if (delivery === undefined) throw new ApiError("not_found");
        return delivery;
      },
    );

    plain.post(
      "/v1/projects/:id/webhook-secret",
      {
        schema: {
          ...route,
          operationId: "rotateWebhookSecret",
          summary: "Make a secret that deliveries are signed with",
          description:
            "In place of the one before, which also signs for another 24 hours. Verify deliveries with a library of Standard Webhooks. The body is ignored.",
          response: {
            201: reference(webhookSecretSchema, "The new secret, shown this once."),
            ...errorResponses(401, 403, 404, 503),
          },
        },
      },
      async (request, reply) => {
        const rotated = await secrets.rotate(requireId(request.params.id), authorization.actorOf(request));
        if (rotated === undefined) throw new ApiError("not_found");
        return reply
          .code(201)
          .header("cache-control", "no-store")
          .send({ secret: rotated.secret, previousUntil: rotated.previousUntil?.toISOString() ?? null });
      },
    );

    plain.post(
      "/v1/projects/:id/code-host-webhook",
      {
        schema: {
          ...route,
          operationId: "connectCodeHostWebhook",
          summary: "Make the secret that a project's code host signs with",
          description:
            "In place of the one before, which stops counting at once. Enter both where the code host keeps its webhooks. The built-in code host needs none (409). The body is ignored.",
          response: {
            201: reference(codeHostWebhookSchema, "The URL and the new secret, shown this once."),
            ...errorResponses(401, 403, 404, 409, 503),
          },
        },
      },
      async (request, reply) => {
        const webhook = await connectCodeHost(requireId(request.params.id), authorization.actorOf(request));
        if (webhook === undefined) throw new ApiError("not_found");
        if ("refused" in webhook) {
          throw new ApiError("conflict", {
            message: "The built-in code host needs no webhook: Docent is told anyhow.",
          });
        }
        return reply.code(201).header("cache-control", "no-store").send(webhook);
      },
    );
  };
}
