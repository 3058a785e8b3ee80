import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { BuiltinHost, PullRequestDetails } from "../codehost/builtin/builtin.ts";
import { ApiError } from "../errors.ts";
import { textOf } from "../jobs/changes/file-contents.ts";
import type { PullRequestJobs } from "../jobs/pull-request-jobs.ts";
import type { Projects } from "../projects/project.ts";
import { ignoreBody } from "./body.ts";
import { fileContentsSchema, fileQuerySchema } from "./changed-file-schema.ts";
import { errorResponses } from "./error-answers.ts";
import { projectParametersSchema } from "./job-schema.ts";
import { requireId } from "./path-id.ts";
import { createCommentRoutes, type CommentRoutesDependencies } from "./pull-request-comments.ts";
import {
  pullRequestListQuerySchema,
  pullRequestListSchema,
  pullRequestParametersSchema,
  pullRequestSchema,
  toListedJson,
  toPullRequestJson,
} from "./pull-request-schema.ts";
import { readIntegers } from "./query-integers.ts";
import { refuseRepeated } from "./repeated-parameters.ts";
import { reference } from "./schema.ts";

/** A diff past this is cut off; git itself gives the whole. */
const DIFF_BYTES_MAX = 16 * 1024 * 1024;
const NUMBER_MAX = 2_147_483_647;

export interface PullRequestRoutesDependencies extends Omit<CommentRoutesDependencies, "readNumber"> {
  builtinHost: BuiltinHost;
  projects: Pick<Projects, "get">;
  jobs: PullRequestJobs;
  /** @throws ApiError 401 or 403 for who may not. */
  authorize(request: FastifyRequest, projectId: string, access: "read" | "write"): Promise<void>;
}

const SUBMODULE = "160000";
const INVALID_CURSOR = {
  message: "cursor must be the nextCursor of an earlier page.",
  details: [{ message: "cursor must be the nextCursor of an earlier page" }],
};

/** The number in a path; undefined when there can be no such pull request. */
export function readPullRequestNumber(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined;
  return Number(text) <= NUMBER_MAX ? Number(text) : undefined;
}

/** Pull requests on the built-in code host. Refusals come in the order 401, 403, 404, 409. */
export function createPullRequestRoutes(dependencies: PullRequestRoutesDependencies): FastifyPluginAsyncTypebox {
  const { builtinHost, projects, jobs, comments, authorize } = dependencies;

  async function readNumber(params: { projectId: string; number: string }): Promise<number> {
    const number = readPullRequestNumber(params.number);
    const project = await projects.get(requireId(params.projectId));
    if (project === undefined || number === undefined) throw new ApiError("not_found");
    return number;
  }

  async function find(params: { projectId: string; number: string }): Promise<PullRequestDetails> {
    return found(await builtinHost.getPullRequestDetails(params.projectId, await readNumber(params)));
  }

  async function describe(projectId: string, details: PullRequestDetails) {
    const { number, headBranch } = details;
    const job = (await jobs.find(projectId, [details])).get(number) ?? null;
    const published = job === null ? null : await jobs.findChecks(job.id, headBranch);
    return toPullRequestJson(details, { job, published, comments: await comments.list(projectId, number) });
  }

  async function end(operation: "merge" | "close", params: { projectId: string; number: string }, head?: string) {
    const { number } = await find(params);
    const result =
      operation === "merge"
        ? await builtinHost.mergePullRequest(params.projectId, number, head === undefined ? {} : { expectedHead: head })
        : await builtinHost.closePullRequest(params.projectId, number);
    if (result === undefined) throw new ApiError("not_found");
    if ("refused" in result) throw new ApiError("conflict", { message: result.refused });
    return describe(params.projectId, await find(params));
  }

  return async (app) => {
    ignoreBody(app);
    const allow =
      (access: "read" | "write") =>
      (request: FastifyRequest<{ Params: { projectId: string; number: string } }>): Promise<void> =>
        authorize(request, request.params.projectId, access);
    const route = { tags: ["Pull requests"], params: pullRequestParametersSchema };

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
      async (request) => describe(request.params.projectId, await find(request.params)),
    );

    app.get(
      "/v1/projects/:projectId/pulls",
      {
        onRequest: (request) => authorize(request, request.params.projectId, "read"),
        preValidation: readIntegers("limit"),
        schema: {
          tags: ["Pull requests"],
          operationId: "listPullRequests",
          summary: "List the pull requests of a project",
          description: "Newest first.",
          security: [{ apiKey: ["read"] }, { adminToken: [] }, { session: [] }],
          params: projectParametersSchema,
          querystring: pullRequestListQuerySchema,
          response: {
            200: reference(pullRequestListSchema, "One page of pull requests."),
            ...errorResponses(400, 401, 403, 404, 503),
          },
        },
      },
      async (request) => {
        const { projectId } = request.params;
        const { limit = 20, cursor, state } = request.query;
        const project = found(await projects.get(requireId(projectId)));
        const before = cursor === undefined ? undefined : readPullRequestNumber(cursor);
        if (cursor !== undefined && before === undefined) throw new ApiError("invalid_request", INVALID_CURSOR);
        const listed = await builtinHost.listPullRequests(project.id, {
          limit: limit + 1,
          ...(before === undefined ? {} : { before }),
          ...(state === undefined ? {} : { state }),
        });
        const page = listed.slice(0, limit);
        const jobsOf = await jobs.find(projectId, page);
        return {
          pulls: page.map((pull) => toListedJson(pull, jobsOf.get(pull.number) ?? null)),
          nextCursor: listed.length > limit ? String(page.at(-1)?.number) : null,
        };
      },
    );

    app.get(
      "/v1/projects/:projectId/pulls/:number/file",
      {
        onRequest: allow("read"),
        preValidation: refuseRepeated("path"),
        schema: {
          ...route,
          operationId: "getPullRequestFile",
          summary: "Get a file that a pull request changes, before and after",
          querystring: fileQuerySchema,
          security: [{ apiKey: ["read"] }, { adminToken: [] }, { session: [] }],
          response: { 200: reference(fileContentsSchema, "Both texts."), ...errorResponses(400, 401, 403, 404, 503) },
        },
      },
      async (request) => {
        const { projectId } = request.params;
        const { path } = request.query;
        const { comparison } = await find(request.params);
        const file = found(comparison?.files.find((each) => each.path === path));
        const read = async (oid: string | null, mode: string | null) =>
          oid === null || mode === SUBMODULE ? null : textOf(await builtinHost.readBlob(projectId, oid));
        return {
          path,
          oldContent: await read(file.oldOid, file.oldMode),
          newContent: await read(file.newOid, file.newMode),
        };
      },
    );

    await app.register(createCommentRoutes({ ...dependencies, readNumber }));

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

function found<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new ApiError("not_found");
  return answer;
}
