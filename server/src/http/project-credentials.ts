import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Authorization } from "../access/authorization.ts";
import { ApiError } from "../errors.ts";
import { MODEL_PROVIDERS, type ProjectCredentials } from "../projects/credentials.ts";
import type { Projects } from "../projects/project.ts";
import { createCommitSigner, generateSigningKey } from "../workspace/ssh-signature.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { requireRoleByMethod } from "./role-by-method.ts";
import { requireId } from "./path-id.ts";
import { projectIdParametersSchema } from "./project-schema.ts";
import { oneOf, reference, timestamp } from "./schema.ts";

const MODEL_CREDENTIALS = MODEL_PROVIDERS.map((provider) => `model-${provider}` as const);
const REMOVABLE = ["code-host", ...MODEL_CREDENTIALS, "signing-key"] as const;

export const credentialListSchema = Type.Object(
  {
    credentials: Type.Array(
      Type.Object({
        name: Type.String({ description: "What it is for." }),
        updatedAt: timestamp("When it was stored."),
      }),
    ),
  },
  { $id: "CredentialList", description: "Which credentials a project keeps. Their values are never shown." },
);

export const signingKeySchema = Type.Object(
  {
    publicKey: Type.String({
      description: "As a code host takes it for a signing key: `ssh-ed25519 AAAA…`.",
    }),
  },
  { $id: "SigningKey" },
);

export interface CredentialRoutesDependencies {
  credentials: ProjectCredentials;
  projects: Pick<Projects, "get">;
  authorization: Authorization;
}

/** What a project's own services accept: stored encrypted, listed by name. Refusals come in the order 401, 403, 400, 404. */
export function createCredentialRoutes(dependencies: CredentialRoutesDependencies): FastifyPluginAsyncTypebox {
  const { credentials, projects, authorization } = dependencies;

  async function requireProject(given: string): Promise<string> {
    const id = requireId(given);
    if ((await projects.get(id)) === undefined) throw new ApiError("not_found");
    return id;
  }

  return async (app) => {
    app.addHook("onRequest", requireRoleByMethod(authorization, "editor"));
    const route = { tags: ["Projects"], security: [{ adminToken: [] }, { session: [] }] };

    await app.register(async (jsonApp) => {
      acceptJsonBody(jsonApp);
      jsonApp.withTypeProvider<TypeBoxTypeProvider>().put(
        "/v1/projects/:id/credentials/:name",
        {
          schema: {
            ...route,
            operationId: "storeCredential",
            summary: "Store the key of a model's provider",
            description: "It is used for this project's jobs instead of the server's.",
            params: Type.Object({
              ...projectIdParametersSchema.properties,
              name: oneOf(MODEL_CREDENTIALS, { description: "Whose key it is." }),
            }),
            body: Type.Object({
              value: Type.String({
                minLength: 1,
                maxLength: 20_000,
                format: "line",
                description: "The key. It is stored encrypted and never shown again.",
              }),
            }),
            response: {
              204: Type.Null({ description: "Stored." }),
              ...errorResponses(400, 401, 403, 404, 413, 415, 503),
            },
          },
        },
        async (request, reply) => {
          const { id, name } = request.params;
          await credentials.write(await requireProject(id), name, request.body.value.trim(), {
            actor: authorization.actorOf(request),
          });
          return reply.code(204).send(null);
        },
      );
    });

    await app.register(async (plainApp) => {
      ignoreBody(plainApp);
      const plain = plainApp.withTypeProvider<TypeBoxTypeProvider>();

      plain.get(
        "/v1/projects/:id/credentials",
        {
          schema: {
            ...route,
            operationId: "listCredentials",
            summary: "List a project's stored credentials",
            params: projectIdParametersSchema,
            response: {
              200: reference(credentialListSchema, "Their names."),
              ...errorResponses(401, 403, 404, 503),
            },
          },
        },
        async (request) => {
          const found = await credentials.list(await requireProject(request.params.id));
          return { credentials: found.map(({ name, updatedAt }) => ({ name, updatedAt: updatedAt.toISOString() })) };
        },
      );

      plain.delete(
        "/v1/projects/:id/credentials/:name",
        {
          schema: {
            ...route,
            operationId: "removeCredential",
            summary: "Remove a stored credential",
            description: "The server's own, where there is one, is used from then on.",
            params: Type.Object({ ...projectIdParametersSchema.properties, name: oneOf(REMOVABLE) }),
            response: { 204: Type.Null({ description: "Removed." }), ...errorResponses(400, 401, 403, 404, 503) },
          },
        },
        async (request, reply) => {
          const { id, name } = request.params;
          if (!(await credentials.remove(await requireProject(id), name, authorization.actorOf(request)))) {
            throw new ApiError("not_found", { message: `No ${name} is stored for this project.` });
          }
          return reply.code(204).send(null);
        },
      );

      plain.post(
        "/v1/projects/:id/signing-key",
        {
          schema: {
            ...route,
            operationId: "createSigningKey",
            summary: "Make the key that signs a project's commits",
            description:
              "An SSH key (Ed25519) in place of the one before. Register its public half as a signing key of the account whose e-mail address the commits bear, then switch `commits.sign` on. The body is ignored.",
            params: projectIdParametersSchema,
            response: {
              201: reference(signingKeySchema, "Its public half. The private one never leaves the server."),
              ...errorResponses(401, 403, 404, 503),
            },
          },
        },
        async (request, reply) => {
          const key = generateSigningKey();
          await credentials.write(await requireProject(request.params.id), "signing-key", key, {
            actor: authorization.actorOf(request),
          });
          return reply.code(201).send({ publicKey: createCommitSigner(key).publicKey });
        },
      );

      plain.get(
        "/v1/projects/:id/signing-key",
        {
          schema: {
            ...route,
            operationId: "getSigningKey",
            summary: "Get the public half of a project's signing key",
            params: projectIdParametersSchema,
            response: { 200: reference(signingKeySchema, "The public half."), ...errorResponses(401, 403, 404, 503) },
          },
        },
        async (request) => {
          const key = await credentials.read(await requireProject(request.params.id), "signing-key");
          if (key === undefined) {
            throw new ApiError("not_found", {
              message: "The project has no signing key yet. Make one: docent credential signing-key --new",
            });
          }
          return { publicKey: createCommitSigner(key).publicKey };
        },
      );
    });
  };
}
