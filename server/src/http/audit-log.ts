import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { AUDIT_ACTIONS, type AuditEntry, type AuditQuery } from "../access/audit-log.ts";
import type { Authorization } from "../access/authorization.ts";
import { ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { readIntegers } from "./query-integers.ts";
import { nullable, oneOf, reference, timestamp } from "./schema.ts";

export const auditEntrySchema = Type.Object(
  {
    id: Type.String(),
    at: timestamp("When it happened."),
    actor: Type.Object(
      {
        type: oneOf(["user", "administrator", "key", "system"], {
          description: "`administrator`: a holder of the admin token. `system`: Docent by itself.",
        }),
        id: nullable(Type.String()),
        name: Type.String({ description: "As it was then." }),
      },
      { description: "Who did it." },
    ),
    action: oneOf(AUDIT_ACTIONS),
    projectId: nullable(Type.String({ description: "Where it happened, when in a project." })),
    subject: Type.Unsafe<AuditEntry["subject"]>({
      type: ["object", "null"],
      properties: { id: { type: ["string", "null"] }, name: { type: "string" } },
      required: ["id", "name"],
      description: "What was done something to.",
    }),
    details: Type.Record(Type.String(), Type.String(), {
      description: "What belongs to the action: `role`, `from` and `to`, `scope`, `changes`. Never a secret.",
    }),
    address: nullable(Type.String({ description: "The client's IP address." })),
  },
  { $id: "AuditEntry" },
);

export const auditLogSchema = Type.Object(
  {
    entries: Type.Array(reference(auditEntrySchema)),
    nextCursor: nullable(Type.String({ description: "The `cursor` of the next page; null on the last." })),
  },
  { $id: "AuditLog" },
);

/** Who did what. */
export function createAuditLogRoutes({
  listAuditLog,
  authorization,
}: {
  listAuditLog(query: AuditQuery): Promise<{ entries: AuditEntry[]; nextCursor: string | null }>;
  authorization: Authorization;
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook("onRequest", (request) => authorization.requireRole(request, "owner"));
    ignoreBody(app);
    app.withTypeProvider<TypeBoxTypeProvider>().get(
      "/v1/audit-log",
      {
        schema: {
          tags: ["People"],
          security: [{ adminToken: [] }, { session: [] }],
          operationId: "getAuditLog",
          summary: "Who changed who may do what",
          description: "Newest first. Entries are kept for ever.",
          querystring: Type.Object({
            limit: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Entries on a page." }),
            ),
            cursor: Type.Optional(Type.String({ format: "cursor", description: "`nextCursor` of the page before." })),
            projectId: Type.Optional(
              Type.String({ format: "cursor", description: "Only what concerns this project." }),
            ),
          }),
          response: {
            200: reference(auditLogSchema, "One page of entries."),
            ...errorResponses(400, 401, 403, 503),
          },
        },
        preValidation: readIntegers("limit"),
      },
      async (request) => {
        const { limit = 50, cursor, projectId } = request.query;
        return await listAuditLog({
          limit,
          ...(cursor === undefined ? {} : { cursor }),
          ...(projectId === undefined ? {} : { projectId }),
        });
      },
    );
  };
}
