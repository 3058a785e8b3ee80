import { createScriptedModel, type ModelScript, type ScriptedModel } from "../../agent/testing/scripted-model.ts";
import type { TestDatabase } from "../../database/testing/postgres.ts";
import type { ProjectSettings } from "../../database/schema.ts";
import { createTestRepository, type TestFile, type TestRepository } from "../../git/testing/repository.ts";
import { startTestService, type ProjectCreation } from "../../testing/service.ts";
import type { Job } from "../job.ts";
import { createJobsClient, type ConnectedProject } from "./jobs-client.ts";

export type { ConnectedProject } from "./jobs-client.ts";

export interface ScriptedServiceOptions {
  script: ModelScript;
  /** Of the service, by variable. */
  environment?: Record<string, string>;
  clock?: () => Date;
  logLevel?: "trace";
}

export interface ScriptedService {
  model: ScriptedModel;
  database: TestDatabase;
  /** The warnings and errors of the service. */
  log(): string;
  /** A project with these files on the branch `main`. */
  addProject(files: Record<string, TestFile>, settings?: ProjectSettings): Promise<ScriptedProject>;
  /** A project on another code host. @throws Error with the answer when it is refused. */
  connectProject(creation: ProjectCreation): Promise<ConnectedProject>;
  /** A request of the administrator; the answer's JSON, whatever its status. */
  administer(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface ScriptedProject extends ConnectedProject {
  /** Merges or closes, as a person does. */
  endPullRequest(job: Job, how: "merge" | "close"): Promise<void>;
  readPullRequest(job: Job): Promise<{ title: string; body: string; state: string }>;
  /** A request with the project's key and more headers, whatever its answer. */
  post(path: string, body: object, headers: Record<string, string>): Promise<{ status: number; text: string }>;
  /** A person's clone. */
  clone: TestRepository;
  fetch(): Promise<void>;
  push(branch: string): Promise<void>;
  /** The text of a file on a branch of the project's repository; undefined when it has none. */
  readFile(branch: string, path: string): Promise<string | undefined>;
}

/** A service at work with a scripted model. */
export async function startScriptedService(options: ScriptedServiceOptions): Promise<ScriptedService> {
  const model = await createScriptedModel(options.script);
  const service = await startTestService(
    { DOCENT_MODEL: "openai-compatible:scripted", DOCENT_MODEL_BASE_URL: model.url, ...options.environment },
    {
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...(options.logLevel === undefined ? {} : { logLevel: options.logLevel }),
    },
  );
  const clones: TestRepository[] = [];
  return {
    model,
    database: service.database,
    log: service.log,
    async addProject(files, settings = {}) {
      const clone = await createTestRepository();
      clones.push(clone);
      await clone.commit("main", files);
      const { projectId, key } = await service.createProject({ repository: clone.directory, settings });
      return createProjectClient({ url: service.url, projectId, key, clone });
    },
    async connectProject(creation) {
      const { projectId, key } = await service.createProject(creation);
      return createJobsClient({ url: service.url, projectId, key });
    },
    async administer(method, path, body) {
      const response = await fetch(service.url + path, {
        method,
        headers: {
          authorization: `Bearer ${service.adminToken}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    },
    async close() {
      await service.close();
      await model.close();
      for (const clone of clones) await clone.remove();
    },
  };
}

function createProjectClient(options: {
  url: string;
  projectId: string;
  key: string;
  clone: TestRepository;
}): ScriptedProject {
  const { url, projectId, key, clone } = options;
  const remote = `${url.replace("://", `://ada:${key}@`)}/git/${projectId}.git`;
  const { id, createJob, call } = createJobsClient({ url, projectId, key });

  const pullRequestPath = ({ pullRequest }: Job): string =>
    `/v1/projects/${projectId}/pulls/${pullRequest?.number ?? "none"}`;

  async function fetchBranches(): Promise<void> {
    await clone.git("fetch", "--quiet", "--prune", remote, "+refs/heads/*:refs/heads/*");
  }

  return {
    clone,
    id,
    createJob,
    endPullRequest: async (job, how) => void (await call("POST", `${pullRequestPath(job)}/${how}`)),
    async post(path, body, headers) {
      const response = await fetch(url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    },
    readPullRequest: (job) => call("GET", pullRequestPath(job)),
    fetch: fetchBranches,
    push: async (branch) => void (await clone.git("push", "--quiet", remote, branch)),
    async readFile(branch, path) {
      await fetchBranches();
      const listed = await clone.git("ls-tree", "-r", "--name-only", branch, "--", path);
      return listed === "" ? undefined : clone.git("show", `${branch}:${path}`);
    },
  };
}
