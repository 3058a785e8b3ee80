import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Authorization, AuthorizedRequest } from "../access/authorization.ts";
import { ApiError } from "../errors.ts";
import type { JobChanges } from "../jobs/changes/changes.ts";
import { ignoreBody } from "./body.ts";
import { changedFileSchema, fileContentsSchema, fileQuerySchema } from "./changed-file-schema.ts";
import { errorResponses } from "./error-answers.ts";
import { jobParametersSchema } from "./job-schema.ts";
import { requireId } from "./path-id.ts";
import { refuseRepeated } from "./repeated-parameters.ts";
import { reference } from "./schema.ts";

export const jobChangesSchema = Type.Object(
  {
    files: Type.Array(reference(changedFileSchema), { description: "By path." }),
    complete: Type.Boolean({
      description: "False where files are missing: of a job from before changes were kept, and beyond 10,000 files.",
    }),
    discarded: Type.Boolean({
      description: "True when the job failed or was archived before it could publish them: they are nowhere else.",
    }),
  },
  {
    $id: "JobChanges",
    description:
      "What the job changed on its branch, follow-ups included, compared with the files before its first change to them. After its pull request was merged or closed, a follow-up begins anew.",
  },
);

/** What a job changed, also while it works and on any code host: read from what Docent keeps, not from the repository. */
export function createJobChangesRoutes(dependencies: {
  jobs: JobChanges;
  authorization: Authorization;
}): FastifyPluginAsyncTypebox {
  const { jobs, authorization } = dependencies;

  return async (app) => {
    ignoreBody(app);
    const route = {
      onRequest: (request: AuthorizedRequest & { params: unknown }): Promise<void> =>
        authorization.requireScope(request, (request.params as { projectId: string }).projectId, "read"),
    };
    const schema = {
      tags: ["Jobs"],
      params: jobParametersSchema,
      security: [{ apiKey: ["read"] }, { session: [] }],
    };

    app.get(
      "/v2/agent/:projectId/job/:id/changes",
      {
        ...route,
        schema: {
          ...schema,
          operationId: "getJobChanges",
          summary: "List the files a job changed",
          description: "Also while it works, whatever the code host.",
          response: { 200: reference(jobChangesSchema, "The files."), ...errorResponses(401, 403, 404, 503) },
        },
      },
      async (request) => {
        const { projectId, id } = request.params;
        return found(await jobs.changes(projectId, requireId(id)));
      },
    );

    app.get(
      "/v2/agent/:projectId/job/:id/changes/diff",
      {
        ...route,
        schema: {
          ...schema,
          operationId: "getJobDiff",
          summary: "Get the diff of a job's changes",
          description: "A unified diff as git writes it, up to 16 MiB.",
          response: {
            200: { description: "The diff.", content: { "text/plain": { schema: Type.String() } } },
            ...errorResponses(401, 403, 404, 503),
          },
        },
      },
      async (request, reply) => {
        const { projectId, id } = request.params;
        const diff = found(await jobs.changesDiff(projectId, requireId(id)));
        void reply.header("content-type", "text/plain; charset=utf-8").header("x-content-type-options", "nosniff");
        return reply.send(diff.toString("utf8"));
      },
    );

    app.get(
      "/v2/agent/:projectId/job/:id/changes/file",
      {
        ...route,
        preValidation: refuseRepeated("path"),
        schema: {
          ...schema,
          operationId: "getJobFile",
          summary: "Get a file that a job changed, before and after",
          querystring: fileQuerySchema,
          response: { 200: reference(fileContentsSchema, "Both texts."), ...errorResponses(400, 401, 403, 404, 503) },
        },
      },
      async (request) => {
        const { projectId, id } = request.params;
        return found(await jobs.changedFile(projectId, requireId(id), request.query.path));
      },
    );
  };
}

function found<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new ApiError("not_found");
  return answer;
}
