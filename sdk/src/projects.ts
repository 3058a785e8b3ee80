import { DocentError, isTransient } from "./error.ts";
import type { CreateProjectBody, Project, ProjectList, UpdateProjectBody } from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

export interface Projects {
  /** `repository`: a Git URL or an absolute path on the service's machine; without one the project starts empty. */
  create(project: CreateProjectBody, options?: RequestOptions): Promise<Project>;
  list(options?: RequestOptions): Promise<Project[]>;
  get(projectId: string, options?: RequestOptions): Promise<Project>;
  /** Fields that are absent stay as they are. */
  update(projectId: string, changes: UpdateProjectBody, options?: RequestOptions): Promise<Project>;
  delete(projectId: string, options?: RequestOptions): Promise<void>;
  /**
   * Polls until the repository is imported.
   * @throws DocentError `import_failed` with the reason.
   */
  waitUntilReady(projectId: string, options?: RequestOptions & { pollMs?: number }): Promise<Project>;
}

const admin = (options?: RequestOptions) => ({ credential: "admin" as const, signal: options?.signal });

export function createProjects(requester: Requester): Projects {
  const get: Projects["get"] = (projectId, options) =>
    requester.json("GET", path`/v1/projects/${projectId}`, admin(options));
  return {
    get,
    create: (project, options) => requester.json("POST", "/v1/projects", { ...admin(options), body: project }),
    async list(options) {
      const answer = await requester.json<ProjectList>("GET", "/v1/projects", admin(options));
      return answer.projects;
    },
    update: (projectId, changes, options) =>
      requester.json("PATCH", path`/v1/projects/${projectId}`, { ...admin(options), body: changes }),
    async delete(projectId, options) {
      await requester.text("DELETE", path`/v1/projects/${projectId}`, admin(options));
    },
    async waitUntilReady(projectId, options) {
      for (;;) {
        const project = await get(projectId, options).catch((error: unknown) => {
          if (isTransient(error)) return undefined;
          throw error;
        });
        if (project?.state === "ready") return project;
        if (project?.state === "failed") {
          const message = project.importError ?? "The repository could not be imported.";
          throw new DocentError(message, { status: 200, code: "import_failed" });
        }
        await requester.delay(options?.pollMs ?? 250, options?.signal);
      }
    },
  };
}
