import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Authorization } from "../access/authorization.ts";
import type { Keys } from "../access/keys.ts";
import { ApiError } from "../errors.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { requireRoleByMethod } from "./role-by-method.ts";
import { requireId } from "./path-id.ts";
import { projectIdParametersSchema } from "./project-schema.ts";
import { nullable, oneOf, reference, timestamp } from "./schema.ts";

const scopeSchema = oneOf(["admin", "write", "read", "collect"], {
  default: "admin",
  description:
    "`admin`: every operation of the project. `write`: create, message and archive jobs, push; includes `read`. `read`: jobs and analytics, clone. `collect`: report visits, nothing else.",
});

const keyProperties = {
  id: Type.String({ description: "`key_` and a ULID: sorts by creation." }),
  name: Type.String(),
  scope: scopeSchema,
  start: Type.String({ description: "The key's first characters, to recognise it by." }),
  lastUsedAt: nullable(timestamp("When it was last used, to the minute; null when it never was.")),
  expiresAt: nullable(timestamp("When it stops working; null for never.")),
  cidrs: Type.Array(Type.String(), { description: "Where it may be used from; empty for everywhere." }),
  createdAt: timestamp("When it was made."),
};

export const apiKeySchema = Type.Object(keyProperties, { $id: "ApiKey" });

export const newApiKeySchema = Type.Object(
  { ...keyProperties, key: Type.String({ description: "The key itself. It is shown this once." }) },
  { $id: "NewApiKey" },
);

export const apiKeyListSchema = Type.Object({ keys: Type.Array(reference(apiKeySchema)) }, { $id: "ApiKeyList" });

const keyCreationSchema = Type.Object({
  name: Type.String({ maxLength: 200, pattern: "\\S", format: "line", description: "For people." }),
  scope: Type.Optional(scopeSchema),
  expiresAt: Type.Optional(nullable(timestamp("When it stops working, in the future; absent or null for never."))),
  cidrs: Type.Optional(
    Type.Array(Type.String({ format: "cidr" }), {
      maxItems: 100,
      description: "Addresses and CIDR ranges, IPv4 or IPv6, that it may be used from; absent or empty for everywhere.",
    }),
  ),
});

/** The API keys of a project. Refusals come in the order 401, 403, the body (413, 415, 400), 404. */
export function createKeyRoutes({
  keys,
  authorization,
  clock,
}: {
  keys: Keys;
  authorization: Authorization;
  clock: () => Date;
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook("onRequest", requireRoleByMethod(authorization, "editor"));
    const route = { tags: ["API keys"], security: [{ adminToken: [] }, { session: [] }] };

    await app.register(async (jsonApp) => {
      acceptJsonBody(jsonApp);
      const json = jsonApp.withTypeProvider<TypeBoxTypeProvider>();

      json.post(
        "/v1/projects/:id/keys",
        {
          schema: {
            ...route,
            operationId: "createKey",
            summary: "Create an API key",
            params: projectIdParametersSchema,
            body: keyCreationSchema,
            response: {
              201: reference(newApiKeySchema, "The new key, shown this once."),
              ...errorResponses(400, 401, 403, 404, 413, 415, 503),
            },
          },
        },
        async (request, reply) => {
          const { name, scope = "admin", expiresAt, cidrs = [] } = request.body;
          const expiry = readExpiry(expiresAt ?? null, clock());
          const issued = await keys.issue(
            requireId(request.params.id),
            { name: name.trim(), scope, cidrs, ...(expiry === undefined ? {} : { expiresAt: expiry }) },
            authorization.actorOf(request),
          );
          if ("refused" in issued) throw new ApiError(issued.refused);
          return reply.code(201).header("cache-control", "no-store").send(issued);
        },
      );
    });

    await app.register(async (plainApp) => {
      ignoreBody(plainApp);
      const plain = plainApp.withTypeProvider<TypeBoxTypeProvider>();

      plain.get(
        "/v1/projects/:id/keys",
        {
          schema: {
            ...route,
            operationId: "listKeys",
            summary: "List the API keys of a project",
            description: "Newest first, without those that were revoked.",
            params: projectIdParametersSchema,
            response: { 200: reference(apiKeyListSchema, "The keys."), ...errorResponses(401, 403, 404, 503) },
          },
        },
        async (request) => {
          const found = await keys.list(requireId(request.params.id));
          if (found === undefined) throw new ApiError("not_found");
          return { keys: found };
        },
      );

      plain.delete(
        "/v1/projects/:id/keys/:keyId",
        {
          schema: {
            ...route,
            operationId: "revokeKey",
            summary: "Revoke an API key",
            description: "It stops working at once; on other servers of the same database within a second.",
            params: Type.Object({
              ...projectIdParametersSchema.properties,
              keyId: Type.String({ description: "The key's id." }),
            }),
            response: { 204: Type.Null({ description: "Revoked." }), ...errorResponses(401, 403, 404, 503) },
          },
        },
        async (request, reply) => {
          const { id, keyId } = request.params;
          const revoked = await keys.revoke(requireId(id), requireId(keyId), authorization.actorOf(request));
          if (!revoked) throw new ApiError("not_found");
          return reply.code(204).send(null);
        },
      );
    });
  };
}

/** The format check has seen the text; years beyond what PostgreSQL and Date share are refused here. */
function readExpiry(text: string | null, now: Date): Date | undefined {
  if (text === null) return undefined;
  const expiry = new Date(text);
  if (expiry > now && expiry.getUTCFullYear() < 10_000) return expiry;
  const message = "expiresAt must be a time in the future";
  throw new ApiError("invalid_request", { message: `${message}.`, details: [{ message }] });
}
