import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { Type, type Static } from "typebox";
import { Clean } from "typebox/value";
import type { Keys } from "../access/keys.ts";
import type { Authorization } from "../access/authorization.ts";
import type { CodeHostCredential } from "../codehost/connection.ts";
import type { ProjectSettings, Role } from "../database/schema.ts";
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
import { projectSettingsSchema } from "./project-settings-schema.ts";
import { reference } from "./schema.ts";

/** Who makes a project or ends it decides for everybody; the work inside one needs less. */
const ROLES: Readonly<Record<string, Role>> = { GET: "viewer", HEAD: "viewer", PATCH: "editor" };

type GivenCredential = NonNullable<Static<typeof projectCreationSchema>["credential"]>;

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
    app.addHook("onRequest", (request) => authorization.requireRole(request, ROLES[request.method] ?? "owner"));
    const route = { tags: ["Projects"], security: [{ adminToken: [] }, { session: [] }] };

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
          const { name, repository, codeHost, codeHostUrl, credential, ref, settings } = request.body;
          const project = accepted(
            await projects.create(
              {
                name: name.trim(),
                ...(repository === undefined ? {} : { repository }),
                ...(codeHost === undefined ? {} : { codeHost }),
                ...(codeHostUrl === undefined ? {} : { codeHostUrl }),
                ...readCredential(credential),
                ...(ref === undefined ? {} : { ref }),
                ...(settings === undefined ? {} : { settings: knownSettings(settings) }),
              },
              authorization.actorOf(request),
            ),
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
          const { name, ref, credential, settings } = request.body;
          const changes = {
            ...(name === undefined ? {} : { name: name.trim() }),
            ...(ref === undefined ? {} : { ref }),
            ...readCredential(credential),
            ...(settings === undefined ? {} : { settings: knownSettings(settings) }),
          };
          const answer = await projects.update(requireId(request.params.id), changes, authorization.actorOf(request));
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
          if (!(await projects.delete(id, authorization.actorOf(request)))) throw new ApiError("not_found");
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
  return Clean(projectSettingsSchema, settings) as ProjectSettings;
}

function readCredential(given: GivenCredential | undefined): { credential?: CodeHostCredential } {
  if (given === undefined) return {};
  const { token, githubApp } = given;
  if ((token === undefined) === (githubApp === undefined)) {
    const message = "credential: give either a token or a githubApp.";
    throw new ApiError("invalid_request", { message, details: [{ message }] });
  }
  if (githubApp === undefined) return { credential: { type: "token", token: token ?? "" } };
  const { appId, installationId = null, privateKey } = githubApp;
  return { credential: { type: "github-app", appId, installationId, privateKey } };
}

/** No new job can appear meanwhile: the project's keys are revoked. */
async function archiveActiveJobs(jobs: Jobs, projectId: string): Promise<void> {
  for (;;) {
    const page = await jobs.list(projectId, { limit: 100, status: "active" });
    for (const job of page.jobs) await jobs.archive(projectId, job.id);
    if (page.nextCursor === null) return;
  }
}
