import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { Keys } from "../access/keys.ts";
import type { Authorization } from "../access/authorization.ts";
import type { AnalyticsSettings, ProjectSettings } from "../database/schema.ts";
import { ApiError } from "../errors.ts";
import type { Jobs } from "../jobs/job.ts";
import type { Project, ProjectAnswer, Projects } from "../projects/project.ts";
import { acceptJsonBody, ignoreBody } from "./body.ts";
import { errorResponses } from "./error-answers.ts";
import { requireId } from "./path-id.ts";
import {
  projectCreationSchema,
  projectIdParametersSchema,
  projectListSchema,
  projectSchema,
  projectUpdateSchema,
} from "./project-schema.ts";
import { reference } from "./schema.ts";

/** The administration of projects. Refusals come in the order 401, 403, the body (413, 415, 400), 404. */
export function createProjectRoutes({
  projects,
  jobs,
  keys,
  authorization,
}: {
  projects: Projects;
  jobs: Jobs;
  keys: Pick<Keys, "forgetRead">;
  authorization: Authorization;
}): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook("onRequest", (request) => authorization.requireAdministrator(request));
    const route = { tags: ["Projects"], security: [{ adminToken: [] }] };

    await app.register(async (jsonApp) => {
      acceptJsonBody(jsonApp);
      const json = jsonApp.withTypeProvider<TypeBoxTypeProvider>();

      json.post(
        "/v1/projects",
        {
          schema: {
            ...route,
            operationId: "createProject",
            summary: "Create a project",
            description: "Answers at once; a repository is imported in the background. Follow the project's `state`.",
            body: projectCreationSchema,
            response: {
              201: reference(projectSchema, "The new project. `Location` is its path."),
              ...errorResponses(400, 401, 403, 413, 415, 503),
            },
          },
        },
        async (request, reply) => {
          const { name, repository, ref, settings } = request.body;
          const project = accepted(
            await projects.create({
              name: name.trim(),
              ...(repository === undefined ? {} : { repository }),
              ...(ref === undefined ? {} : { ref }),
              ...(settings === undefined ? {} : { settings: knownSettings(settings) }),
            }),
          );
          return reply.code(201).header("location", `/v1/projects/${project.id}`).send(project);
        },
      );

      json.patch(
        "/v1/projects/:id",
        {
          schema: {
            ...route,
            operationId: "updateProject",
            summary: "Change a project",
            description: "Fields that are absent stay as they are.",
            params: projectIdParametersSchema,
            body: projectUpdateSchema,
            response: {
              200: reference(projectSchema, "The changed project."),
              ...errorResponses(400, 401, 403, 404, 413, 415, 503),
            },
          },
        },
        async (request) => {
          const { name, ref, settings } = request.body;
          const answer = await projects.update(requireId(request.params.id), {
            ...(name === undefined ? {} : { name: name.trim() }),
            ...(ref === undefined ? {} : { ref }),
            ...(settings === undefined ? {} : { settings: knownSettings(settings) }),
          });
          if (answer === undefined) throw new ApiError("not_found");
          return accepted(answer);
        },
      );
    });

    await app.register(async (plainApp) => {
      ignoreBody(plainApp);
      const plain = plainApp.withTypeProvider<TypeBoxTypeProvider>();

      plain.get(
        "/v1/projects",
        {
          schema: {
            ...route,
            operationId: "listProjects",
            summary: "List the projects",
            description: "Newest first.",
            response: { 200: reference(projectListSchema, "All projects."), ...errorResponses(401, 403, 503) },
          },
        },
        async () => ({ projects: await projects.list() }),
      );

      plain.get(
        "/v1/projects/:id",
        {
          schema: {
            ...route,
            operationId: "getProject",
            summary: "Get a project",
            params: projectIdParametersSchema,
            response: { 200: reference(projectSchema, "The project."), ...errorResponses(401, 403, 404, 503) },
          },
        },
        async (request) => {
          const project = await projects.get(requireId(request.params.id));
          if (project === undefined) throw new ApiError("not_found");
          return project;
        },
      );

      plain.delete(
        "/v1/projects/:id",
        {
          schema: {
            ...route,
            operationId: "deleteProject",
            summary: "Delete a project",
            description:
              "Revokes its keys and archives its active jobs. The repository stays on the server's disk, no longer reachable through Docent.",
            params: projectIdParametersSchema,
            response: { 204: Type.Null({ description: "Deleted." }), ...errorResponses(401, 403, 404, 503) },
          },
        },
        async (request, reply) => {
          const id = requireId(request.params.id);
          if (!(await projects.delete(id))) throw new ApiError("not_found");
          keys.forgetRead();
          await archiveActiveJobs(jobs, id);
          return reply.code(204).send(null);
        },
      );
    });
  };
}

function accepted(answer: ProjectAnswer): Project {
  if ("project" in answer) return answer.project;
  throw new ApiError("invalid_request", { message: answer.refused, details: [{ message: answer.refused }] });
}

/** Stores nothing that the API does not know. */
function knownSettings(settings: ProjectSettings): ProjectSettings {
  const known = pickPresent(settings, ["docsPath", "allow", "instructions", "archiveOnMerge", "newMdxCode"]);
  return settings.analytics === undefined ? known : { ...known, analytics: knownAnalytics(settings.analytics) };
}

function knownAnalytics(settings: AnalyticsSettings): AnalyticsSettings {
  return pickPresent(settings, [
    "origins",
    "ai",
    "peopleSources",
    "agentSources",
    "saltRotation",
    "globalPrivacyControl",
    "retentionDays",
  ]);
}

function pickPresent<Given extends object>(given: Given, names: readonly (keyof Given)[]): Partial<Given> {
  const present = names.filter((name) => given[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, given[name]])) as Partial<Given>;
}

/** No new job can appear meanwhile: the project's keys are revoked. */
async function archiveActiveJobs(jobs: Jobs, projectId: string): Promise<void> {
  for (;;) {
    const page = await jobs.list(projectId, { limit: 100, status: "active" });
    for (const job of page.jobs) await jobs.archive(projectId, job.id);
    if (page.nextCursor === null) return;
  }
}
