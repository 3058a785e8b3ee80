import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../access/authorization.ts";
import type { Limits } from "../access/limits.ts";
import type { BuiltinHost } from "../codehost/builtin/builtin.ts";
import { ApiError } from "../errors.ts";
import type { PullRequestComments } from "../jobs/pull-request-comments.ts";
import { authorOf } from "./author.ts";
import { acceptJsonBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { promptHeadersSchema } from "./job-schema.ts";
import { commentAnswerSchema, commentBodySchema, pullRequestParametersSchema } from "./pull-request-schema.ts";
import { applyLimit } from "./rate-limit.ts";
import { reference } from "./schema.ts";

export interface CommentRoutesDependencies {
  builtinHost: Pick<BuiltinHost, "getPullRequest">;
  comments: PullRequestComments;
  limits: Limits;
  /** 0 stands for no limit. */
  messagesPerHour: number;
  /** @throws ApiError 401 or 403 for who may not. */
  authorize(request: FastifyRequest, projectId: string, access: "write"): Promise<void>;
  callerOf(request: FastifyRequest): Caller;
  /** @throws ApiError 404 where there can be no such pull request. */
  readNumber(parameters: { projectId: string; number: string }): Promise<number>;
}

/** What people say below a pull request of the built-in code host, which its job hears as a message. */
export function createCommentRoutes(dependencies: CommentRoutesDependencies): FastifyPluginAsyncTypebox {
  const { builtinHost, comments, limits, messagesPerHour, authorize, callerOf, readNumber } = dependencies;

  return async (app) => {
    acceptJsonBody(app);

    app.post(
      "/v1/projects/:projectId/pulls/:number/comments",
      {
        onRequest: (request) => authorize(request, request.params.projectId, "write"),
        schema: {
          operationId: "commentPullRequest",
          tags: ["Pull requests"],
          summary: "Comment on a pull request",
          description:
            "While the pull request is open, its job gets the comment as a follow-up message: it goes on with the same pull request, and answers below it.",
          security: [{ apiKey: ["write"] }, { adminToken: [] }, { session: [] }],
          params: pullRequestParametersSchema,
          headers: promptHeadersSchema,
          body: commentBodySchema,
          response: {
            201: reference(commentAnswerSchema, "The comment, and what became of it."),
            ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
          },
        },
      },
      async (request, reply) => {
        const { projectId } = request.params;
        const { body } = request.body;
        const number = await readNumber(request.params);
        const idempotency = readIdempotencyKey(request.headers["idempotency-key"], `comment ${number}`, [body]);
        const pullRequest = await builtinHost.getPullRequest(projectId, number);
        if (pullRequest === undefined) throw new ApiError("not_found");
        applyLimit(reply, await limits.take(`message-job ${projectId}`, messagesPerHour));
        const author = authorOf(callerOf(request));
        const answer = await comments.add(projectId, pullRequest, { body, author, ...idempotency });
        if ("refused" in answer) throw new ApiError(answer.refused);
        return reply.code(201).send(answer);
      },
    );
  };
}
