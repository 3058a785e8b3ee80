import { createScriptedModel, type ModelScript, type ScriptedModel } from "../../agent/testing/scripted-model.ts";
import type { ProjectSettings } from "../../database/schema.ts";
import { createTestRepository, type TestFile, type TestRepository } from "../../git/testing/repository.ts";
import { startTestService } from "../../testing/service.ts";
import type { Job, JobCreation, JobEvent } from "../job.ts";

export interface ScriptedServiceOptions {
  script: ModelScript;
  /** Of the service, by variable. */
  environment?: Record<string, string>;
  clock?: () => Date;
}

export interface ScriptedService {
  model: ScriptedModel;
  /** The warnings and errors of the service. */
  log(): string;
  /** A project with these files on the branch `main`. */
  addProject(files: Record<string, TestFile>, settings?: ProjectSettings): Promise<ScriptedProject>;
  /** A request of the administrator; the answer's JSON, whatever its status. */
  administer(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** A job as its client sees it, over HTTP. */
export interface ProjectJob {
  id: string;
  get(): Promise<Job>;
  message(prompt: string): Promise<void>;
  archive(): Promise<Job>;
  /** Waits until the job has come to rest once more than when this was called last. */
  rest(): Promise<Job>;
  /** The log so far, or until the first event that is wanted. */
  eventsUntil(isWanted: (event: JobEvent) => boolean): Promise<JobEvent[]>;
}

export interface ScriptedProject {
  id: string;
  /** @throws Error with the answer when it is refused. */
  createJob(prompt: string, choices?: Omit<JobCreation, "prompt">): Promise<ProjectJob>;
  /** Merges or closes, as a person does. */
  endPullRequest(job: Job, how: "merge" | "close"): Promise<void>;
  readPullRequest(job: Job): Promise<{ title: string; body: string; state: string }>;
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
    options.clock === undefined ? {} : { clock: options.clock },
  );
  const clones: TestRepository[] = [];
  return {
    model,
    log: service.log,
    async addProject(files, settings = {}) {
      const clone = await createTestRepository();
      clones.push(clone);
      await clone.commit("main", files);
      const { projectId, key } = await service.createProject({ repository: clone.directory, settings });
      return createProjectClient({ url: service.url, projectId, key, clone });
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
  const headers = { authorization: `Bearer ${key}` };

  async function call<Answer>(method: "GET" | "POST", path: string, body?: object): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json() as Promise<Answer>;
  }

  const pullRequestPath = ({ pullRequest }: Job): string =>
    `/v1/projects/${projectId}/pulls/${pullRequest?.number ?? "none"}`;

  async function fetchBranches(): Promise<void> {
    await clone.git("fetch", "--quiet", "--prune", remote, "+refs/heads/*:refs/heads/*");
  }

  function toJob(id: string): ProjectJob {
    const path = `/v2/agent/${projectId}/job/${id}`;
    let restedAt = 0;
    const job: ProjectJob = {
      id,
      get: () => call("GET", path),
      message: async (prompt) => void (await call("POST", `${path}/message`, { prompt })),
      archive: () => call("POST", `${path}/archive`),
      async rest() {
        const events = await job.eventsUntil(
          ({ type, data, position }) =>
            position > restedAt && type === "status" && !("status" in data && data.status === "active"),
        );
        restedAt = events.at(-1)?.position ?? restedAt;
        return job.get();
      },
      async eventsUntil(isWanted) {
        const events: JobEvent[] = [];
        const ended = new AbortController();
        const response = await fetch(`${url}${path}/events`, { headers, signal: ended.signal });
        let unread = "";
        for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          const lines = (unread + chunk).split("\n");
          unread = lines.pop() ?? "";
          for (const line of lines) {
            if (!line.startsWith("data: ")) continue;
            const event: JobEvent = JSON.parse(line.slice("data: ".length));
            events.push(event);
            if (!isWanted(event)) continue;
            ended.abort();
            return events;
          }
        }
        throw new Error(`The events of ${id} ended without the one that was wanted.`);
      },
    };
    return job;
  }

  return {
    clone,
    id: projectId,
    createJob: async (prompt, choices) =>
      toJob((await call<Job>("POST", `/v2/agent/${projectId}/job`, { prompt, ...choices })).id),
    endPullRequest: async (job, how) => void (await call("POST", `${pullRequestPath(job)}/${how}`)),
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
