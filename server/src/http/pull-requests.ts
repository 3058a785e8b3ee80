import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { BuiltinHost, PullRequestDetails } from "../codehost/builtin/builtin.ts";
import { ApiError } from "../errors.ts";
import type { Projects } from "../projects/project.ts";
import { ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { requireId } from "./path-id.ts";
import { reference } from "./schema.ts";
import { pullRequestSchema, toPullRequestJson } from "./pull-request-schema.ts";

/** A diff past this is cut off; git itself gives the whole. */
const DIFF_BYTES_MAX = 16 * 1024 * 1024;
const NUMBER_MAX = 2_147_483_647;

export interface PullRequestRoutesDependencies {
  builtinHost: BuiltinHost;
  projects: Pick<Projects, "get">;
  /** @throws ApiError 401 or 403 for who may not. */
  authorize(request: FastifyRequest, projectId: string, access: "read" | "write"): Promise<void>;
}

/** The number in a path; undefined when there can be no such pull request. */
export function readPullRequestNumber(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined;
  return Number(text) <= NUMBER_MAX ? Number(text) : undefined;
}

const parameters = Type.Object({
  projectId: Type.String({ description: "The project's id." }),
  number: Type.String({ description: "The pull request's number." }),
});

/** Pull requests on the built-in code host. Refusals come in the order 401, 403, 404, 409. */
export function createPullRequestRoutes(dependencies: PullRequestRoutesDependencies): FastifyPluginAsyncTypebox {
  const { builtinHost, projects, authorize } = dependencies;

  async function find(params: { projectId: string; number: string }): Promise<PullRequestDetails> {
    const number = readPullRequestNumber(params.number);
    const project = await projects.get(requireId(params.projectId));
    if (project === undefined || number === undefined) throw new ApiError("not_found");
    const details = await builtinHost.getPullRequestDetails(project.id, number);
    if (details === undefined) throw new ApiError("not_found");
    return details;
  }

  async function end(operation: "merge" | "close", params: { projectId: string; number: string }, head?: string) {
    const { number } = await find(params);
    const result =
      operation === "merge"
        ? await builtinHost.mergePullRequest(params.projectId, number, head === undefined ? {} : { expectedHead: head })
        : await builtinHost.closePullRequest(params.projectId, number);
    if (result === undefined) throw new ApiError("not_found");
    if ("refused" in result) throw new ApiError("conflict", { message: result.refused });
    return toPullRequestJson(await find(params));
  }

  return async (app) => {
    ignoreBody(app);
    const allow =
      (access: "read" | "write") =>
      (request: FastifyRequest<{ Params: { projectId: string; number: string } }>): Promise<void> =>
        authorize(request, request.params.projectId, access);
    const route = { tags: ["Pull requests"], params: parameters };

    app.get(
      "/v1/projects/:projectId/pulls/:number",
      {
        onRequest: allow("read"),
        schema: {
          ...route,
          operationId: "getPullRequest",
          summary: "Get a pull request",
          security: [{ apiKey: ["read"] }, { adminToken: [] }, { session: [] }],
          response: { 200: reference(pullRequestSchema, "The pull request."), ...errorResponses(401, 403, 404, 503) },
        },
      },
      async (request) => toPullRequestJson(await find(request.params)),
    );

    app.get(
      "/v1/projects/:projectId/pulls/:number/diff",
      {
        onRequest: allow("read"),
        schema: {
          ...route,
          operationId: "getPullRequestDiff",
          summary: "Get a pull request's diff",
          description: "A unified diff as git writes it, up to 16 MiB.",
          security: [{ apiKey: ["read"] }, { adminToken: [] }, { session: [] }],
          response: {
            200: { description: "The diff.", content: { "text/plain": { schema: Type.String() } } },
            ...errorResponses(401, 403, 404, 503),
          },
        },
      },
      async (request, reply) => {
        const { comparison } = await find(request.params);
        const diff =
          comparison === null
            ? ""
            : (await builtinHost.readPatch(request.params.projectId, comparison, DIFF_BYTES_MAX)).patch.toString(
                "utf8",
              );
        void reply.header("content-type", "text/plain; charset=utf-8").header("x-content-type-options", "nosniff");
        return reply.send(diff);
      },
    );

    for (const operation of ["merge", "close"] as const) {
      app.post(
        `/v1/projects/:projectId/pulls/:number/${operation}`,
        {
          onRequest: allow("write"),
          schema: {
            ...route,
            operationId: `${operation}PullRequest`,
            summary: operation === "merge" ? "Merge a pull request" : "Close a pull request",
            description:
              operation === "merge"
                ? "Makes a merge commit on the base branch. Merging what is merged already changes nothing."
                : "Ends it without merging; the branch stays. Closing what is closed already changes nothing.",
            querystring: Type.Object({
              head: Type.Optional(
                Type.String({
                  pattern: "^[0-9a-f]{40,64}$",
                  description: "Merge only if the branch still stands at this commit (`headCommit`).",
                }),
              ),
            }),
            security: [{ apiKey: ["write"] }, { adminToken: [] }, { session: [] }],
            response: {
              200: reference(pullRequestSchema, "The pull request."),
              ...errorResponses(400, 401, 403, 404, 409, 503),
            },
          },
        },
        (request) => end(operation, request.params, request.query.head),
      );
    }
  };
}
