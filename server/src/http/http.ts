import { randomUUID } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import type { Authorization } from "../access/authorization.ts";
import type { Keys } from "../access/keys.ts";
import { ApiError } from "../errors.ts";
import { BODY_BYTES_MAX } from "./body.ts";
import { answerBrokenRequest, createErrorHandler } from "./error-answers.ts";
import { ajvFormats, toInvalidRequest } from "./formats.ts";
import { createHealthRoutes } from "./health.ts";
import { createJobChangesRoutes } from "./job-changes.ts";
import { createJobEventRoutes } from "./job-events.ts";
import { createJobRoutes, type JobRoutesDependencies } from "./jobs.ts";
import { createKeyRoutes } from "./keys.ts";
import { answerOtherMethods } from "./methods.ts";
import { collectOpenApi, serveReference } from "./openapi.ts";
import { createCredentialRoutes } from "./project-credentials.ts";
import { createProjectRoutes } from "./projects.ts";
import { serveTracker } from "./tracker.ts";
import { closeUnusedConnections } from "./unused-connections.ts";
import type { ProjectCredentials } from "../projects/credentials.ts";
import type { Projects } from "../projects/project.ts";

export interface HttpDependencies extends JobRoutesDependencies {
  credentials: ProjectCredentials;
  projects: Projects;
  keys: Keys;
  authorization: Authorization;
  /** CIDR ranges of the proxies whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
  clock: () => Date;
  /** Takes one line, or one with the lines of a stack. */
  log: (line: string) => void;
  /** Throws while the service cannot serve. */
  health: () => Promise<void>;
  /** Routes that are no part of the described API: git, pages. They get Fastify's usual body parsers. */
  plugins: readonly FastifyPluginAsync[];
}

export interface HttpOptions {
  /** Milliseconds between the comments that keep an event stream alive. */
  heartbeatMs?: number;
}

/** The HTTP server, ready to listen. Closing it ends the event streams and lets running requests finish. */
export async function createHttpServer(
  dependencies: HttpDependencies,
  options: HttpOptions = {},
): Promise<FastifyInstance> {
  const handleError = createErrorHandler(dependencies.log);
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: dependencies.trustedProxies.length > 0 ? [...dependencies.trustedProxies] : false,
    genReqId: () => randomUUID(),
    // A load balancer that still has a connection while the server closes gets an answer, and `Connection: close`.
    return503OnClosing: false,
    // A whole request, packs that git pushes included; headers alone have a minute.
    requestTimeout: 3_600_000,
    http: { requireHostHeader: false },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: false, formats: ajvFormats } },
    schemaErrorFormatter: toInvalidRequest,
    frameworkErrors: handleError,
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<TypeBoxTypeProvider>();

  // Node would refuse unknown expectations with an answer that is not ours; RFC 9110 lets a server pass them over.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));

  closeUnusedConnections(app);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(async () => {
    throw new ApiError("not_found");
  });
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("x-request-id", request.id);
    // Before the body is read, which is of no interest where nothing is.
    done(request.is404 ? new ApiError("not_found") : undefined);
  });

  const answerRemainingMethods = answerOtherMethods(app);
  await collectOpenApi(app);
  await app.register(createHealthRoutes(dependencies.health));
  await app.register(createJobRoutes(dependencies));
  await app.register(createJobEventRoutes(dependencies, options));
  await app.register(createJobChangesRoutes(dependencies));
  await app.register(createProjectRoutes(dependencies));
  await app.register(createCredentialRoutes(dependencies));
  await app.register(createKeyRoutes(dependencies));
  await app.register(serveReference);
  await app.register(serveTracker);
  for (const plugin of dependencies.plugins) await app.register(plugin);
  answerRemainingMethods();
  return app;
}
