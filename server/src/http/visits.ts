import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Authorization } from "../access/authorization.ts";
import type { Analytics } from "../analytics/analytics.ts";
import { normaliseAddress } from "../analytics/collect/address.ts";
import type { Salts } from "../analytics/collect/salts.ts";
import { ApiError } from "../errors.ts";
import type { Projects } from "../projects/project.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { requireRoleByMethod } from "./role-by-method.ts";
import { EVENT_STREAM_HEADERS } from "./event-stream.ts";
import { requireId } from "./path-id.ts";
import { streamProgress, type Work } from "./progress-stream.ts";
import { projectIdParametersSchema } from "./project-schema.ts";

export interface VisitRoutesDependencies {
  analytics: Pick<Analytics, "rebuild" | "erase">;
  salts: Pick<Salts, "storedVisitorHashes">;
  projects: Pick<Projects, "get">;
  authorization: Pick<Authorization, "requireRole">;
  /** Takes one line, or one with the lines of a stack. */
  log: (line: string) => void;
}

/** Its texts are hashed and not stored: whatever collect takes can be erased again, NUL characters included. */
const erasedVisitorSchema = Type.Object({
  visitorId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: "The id that the site itself gave." }),
  ),
  ip: Type.Optional(Type.String({ description: "With `userAgent`, for a visitor without an id: the address." })),
  userAgent: Type.Optional(Type.String({ description: "The User-Agent header, empty for none." })),
});

const eventsResponse = {
  description: "How far it is; the last event is how it ended.",
  content: { "text/event-stream": { schema: Type.Unsafe<Readable>({ $ref: "ProgressEvent#" }) } },
};

/** The administration of what is stored of a project's readers. Refusals come in the order 401, 403, the body (413, 415, 400), 404. */
export function createVisitRoutes(
  { analytics, salts, projects, authorization, log }: VisitRoutesDependencies,
  { heartbeatMs = 15_000 }: { heartbeatMs?: number } = {},
): FastifyPluginAsyncTypebox {
  const shutdown = new AbortController();

  async function requireProject(id: string): Promise<string> {
    const project = await projects.get(requireId(id));
    if (project === undefined) throw new ApiError("not_found");
    return project.id;
  }

  /** Answers at once, since counting anew takes minutes where there are many views. */
  function tell(request: FastifyRequest, reply: FastifyReply, work: Work): FastifyReply {
    const onError = (error: unknown): void => {
      // The service stops under it, which the client is told.
      if (shutdown.signal.aborted) return;
      const operation = `${request.method} ${request.routeOptions.url ?? ""}`;
      log(`${operation}, request ${request.id}: ${error instanceof Error ? error.stack : String(error)}`);
    };
    const events = streamProgress(work, { heartbeatMs, signal: shutdown.signal, onError });
    return reply.headers(EVENT_STREAM_HEADERS).send(Readable.from(events, { objectMode: false }));
  }

  return async (app) => {
    app.addHook("onRequest", requireRoleByMethod(authorization, "editor"));
    // Work that is under way would keep the server from closing.
    app.addHook("preClose", async () => shutdown.abort());
    const route = {
      tags: ["Analytics"],
      security: [{ adminToken: [] }, { session: [] }],
      params: projectIdParametersSchema,
    };

    await app.register(async (plainApp) => {
      ignoreBody(plainApp);
      const plain = plainApp.withTypeProvider<TypeBoxTypeProvider>();

      plain.post(
        "/v1/projects/:id/visits/rebuild",
        {
          schema: {
            ...route,
            operationId: "rebuildVisits",
            summary: "Count a project's visits anew",
            description:
              "Makes all counts again from the stored views. Reports stay right meanwhile and should not change by it. Server-sent events tell how far it is; leaving does not stop it.",
            response: { 200: eventsResponse, ...errorResponses(401, 403, 404, 503) },
          },
        },
        async (request, reply) => {
          const projectId = await requireProject(request.params.id);
          return tell(request, reply, (onProgress) => analytics.rebuild(projectId, onProgress));
        },
      );
    });

    await app.register(async (jsonApp) => {
      acceptJsonBody(jsonApp);
      const json = jsonApp.withTypeProvider<TypeBoxTypeProvider>();

      json.post(
        "/v1/projects/:id/visits/erase",
        {
          schema: {
            ...route,
            operationId: "eraseVisitor",
            summary: "Erase a visitor",
            description:
              "Deletes all views of one visitor, named by the site's own id, or by address and user agent, and counts anew. With a salt that rotates, only the periods whose salt is still there can be found. Server-sent events tell how it ends.",
            body: erasedVisitorSchema,
            response: { 200: eventsResponse, ...errorResponses(400, 401, 403, 404, 413, 415, 503) },
          },
        },
        async (request, reply) => {
          const visitor = readVisitor(request.body);
          const projectId = await requireProject(request.params.id);
          const hashes = await salts.storedVisitorHashes(projectId);
          const visitors = hashes.map((hash) =>
            "id" in visitor ? hash.ofId(visitor.id) : hash.ofClient(visitor.address, visitor.userAgent),
          );
          return tell(request, reply, () => analytics.erase(projectId, visitors));
        },
      );
    });
  };
}

/** @throws ApiError 400 unless the body names one visitor. */
function readVisitor(body: {
  visitorId?: string;
  ip?: string;
  userAgent?: string;
}): { id: string } | { address: string; userAgent: string } {
  const { visitorId, ip, userAgent } = body;
  if (visitorId !== undefined && ip === undefined && userAgent === undefined) return { id: visitorId };
  const address = ip === undefined ? undefined : normaliseAddress(ip);
  if (visitorId === undefined && address !== undefined && userAgent !== undefined) return { address, userAgent };
  const message =
    ip !== undefined && address === undefined
      ? "ip must be an IP address"
      : "The body must have either visitorId, or both ip and userAgent";
  throw new ApiError("invalid_request", { message: `${message}.`, details: [{ message }] });
}
