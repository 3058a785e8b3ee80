import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import type { Authorization, AuthorizedRequest } from "../access/authorization.ts";
import type { Limits } from "../access/limits.ts";
import type { Author, KeyScope } from "../database/schema.ts";
import { ApiError } from "../errors.ts";
import type { Jobs } from "../jobs/job.ts";
import { authorOf } from "./author.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import {
  jobListQuerySchema,
  jobCreationSchema,
  jobListSchema,
  jobParametersSchema,
  jobSchema,
  projectParametersSchema,
  promptBodySchema,
  promptHeadersSchema,
} from "./job-schema.ts";
import { requireId } from "./path-id.ts";
import { readIntegers } from "./query-integers.ts";
import { applyLimit } from "./rate-limit.ts";
import { reference } from "./schema.ts";

export interface JobRoutesDependencies {
  jobs: Jobs;
  authorization: Authorization;
  limits: Limits;
  /** 0 stands for no limit. */
  createsPerHour: number;
  messagesPerHour: number;
}

/**
 * The agent jobs of a project. Refusals come in this order: the key (401), what it may do (403), the body (413, 415,
 * 400), the hourly limit (429), the job (404, 409).
 */
export function createJobRoutes(dependencies: JobRoutesDependencies): FastifyPluginAsyncTypebox {
  const { jobs, authorization, limits } = dependencies;

  // Runs before the body is read, so that nobody without a key makes the server parse anything.
  const allow =
    (scope: KeyScope) =>
    (request: AuthorizedRequest & { params: { projectId: string } }): Promise<void> =>
      authorization.requireScope(request, request.params.projectId, scope);

  const readAuthor = (request: AuthorizedRequest): Author => authorOf(authorization.callerOf(request));

  async function applyHourlyLimit(reply: FastifyReply, operation: string, projectId: string, maxPerHour: number) {
    applyLimit(reply, await limits.take(`${operation} ${projectId}`, maxPerHour));
  }

  return async (app) => {
    await app.register(async (jsonApp) => {
      acceptJsonBody(jsonApp);
      const json = jsonApp.withTypeProvider<TypeBoxTypeProvider>();

      json.post(
        "/v2/agent/:projectId/job",
        {
          schema: {
            operationId: "createJob",
            tags: ["Jobs"],
            summary: "Create a job",
            description:
              "Hands the agent an instruction. The job runs in the background; poll it or follow its events.",
            security: [{ apiKey: ["write"] }, { session: [] }],
            params: projectParametersSchema,
            headers: promptHeadersSchema,
            body: jobCreationSchema,
            response: {
              201: reference(jobSchema, "The new job. `Location` is its path."),
              ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
            },
          },
          onRequest: allow("write"),
        },
        async (request, reply) => {
          const { projectId } = request.params;
          const { prompt, ref, draft, model } = request.body;
          const creation = {
            prompt,
            ...(ref === undefined ? {} : { ref }),
            ...(draft === undefined ? {} : { draft }),
            ...(model === undefined ? {} : { model }),
          };
          // A key that was used before jobs had choices still means the same request.
          const { prompt: _prompt, ...choices } = creation;
          const identity = Object.keys(choices).length === 0 ? [prompt] : [prompt, JSON.stringify(choices)];
          const idempotency = readIdempotencyKey(request.headers["idempotency-key"], "create", identity);
          await applyHourlyLimit(reply, "create-job", projectId, dependencies.createsPerHour);
          const answer = await jobs.create(projectId, { ...creation, author: readAuthor(request), ...idempotency });
          if ("refused" in answer) {
            if (answer.refused === "invalid_request") {
              const { message } = answer;
              throw new ApiError("invalid_request", { message, details: [{ message }] });
            }
            // The project was deleted after its key was checked.
            if (answer.refused === "not_found") throw new ApiError("forbidden");
            throw new ApiError(answer.refused);
          }
          return reply.code(201).header("location", `/v2/agent/${projectId}/job/${answer.job.id}`).send(answer.job);
        },
      );

      json.post(
        "/v2/agent/:projectId/job/:id/message",
        {
          schema: {
            operationId: "messageJob",
            tags: ["Jobs"],
            summary: "Send a follow-up message",
            description: "Works also while the job is active: the agent reads the message before its next step.",
            security: [{ apiKey: ["write"] }, { session: [] }],
            params: jobParametersSchema,
            headers: promptHeadersSchema,
            body: promptBodySchema,
            response: {
              200: reference(jobSchema, "The job, active again."),
              ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
            },
          },
          onRequest: allow("write"),
        },
        async (request, reply) => {
          const { projectId, id } = request.params;
          const { prompt } = request.body;
          const idempotency = readIdempotencyKey(request.headers["idempotency-key"], `message ${id}`, [prompt]);
          requireId(id);
          await applyHourlyLimit(reply, "message-job", projectId, dependencies.messagesPerHour);
          const answer = await jobs.message(projectId, id, { prompt, author: readAuthor(request), ...idempotency });
          if ("refused" in answer) {
            throw new ApiError(answer.refused === "archived" ? "job_archived" : answer.refused);
          }
          return reply.code(200).send(answer.job);
        },
      );
    });

    await app.register(async (plainApp) => {
      ignoreBody(plainApp);
      const plain = plainApp.withTypeProvider<TypeBoxTypeProvider>();

      plain.get(
        "/v2/agent/:projectId/job/:id",
        {
          schema: {
            operationId: "getJob",
            tags: ["Jobs"],
            summary: "Get a job",
            description: "The operation to poll until `status` is `completed`, `failed` or `archived`.",
            security: [{ apiKey: ["read"] }, { session: [] }],
            params: jobParametersSchema,
            response: { 200: reference(jobSchema, "The job."), ...errorResponses(401, 403, 404, 503) },
          },
          onRequest: allow("read"),
        },
        async (request) => {
          const { projectId, id } = request.params;
          const job = await jobs.get(projectId, requireId(id));
          if (job === undefined) throw new ApiError("not_found");
          return job;
        },
      );

      plain.get(
        "/v2/agent/:projectId/jobs",
        {
          schema: {
            operationId: "listJobs",
            tags: ["Jobs"],
            summary: "List the jobs of a project",
            description: "Newest first.",
            security: [{ apiKey: ["read"] }, { session: [] }],
            params: projectParametersSchema,
            querystring: jobListQuerySchema,
            response: { 200: reference(jobListSchema, "One page of jobs."), ...errorResponses(400, 401, 403, 503) },
          },
          onRequest: allow("read"),
          preValidation: readIntegers("limit"),
        },
        async (request) => {
          const { limit = 20, cursor, status, search } = request.query;
          return jobs.list(request.params.projectId, {
            limit,
            ...(cursor === undefined ? {} : { cursor }),
            ...(status === undefined ? {} : { status }),
            ...(search === undefined ? {} : { search }),
          });
        },
      );

      plain.post(
        "/v2/agent/:projectId/job/:id/archive",
        {
          schema: {
            operationId: "archiveJob",
            tags: ["Jobs"],
            summary: "Archive a job",
            description: "Stops running work for good. Archiving an archived job changes nothing. The body is ignored.",
            security: [{ apiKey: ["write"] }, { session: [] }],
            params: jobParametersSchema,
            response: { 200: reference(jobSchema, "The archived job."), ...errorResponses(401, 403, 404, 503) },
          },
          onRequest: allow("write"),
        },
        async (request) => {
          const { projectId, id } = request.params;
          const job = await jobs.archive(projectId, requireId(id));
          if (job === undefined) throw new ApiError("not_found");
          return job;
        },
      );
    });
  };
}
