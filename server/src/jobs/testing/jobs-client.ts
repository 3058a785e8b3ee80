import type { Changes } from "../changes/changes.ts";
import type { FileContents } from "../changes/file-contents.ts";
import type { Job, JobCreation, JobEvent } from "../job.ts";

/** A job as its client sees it, over HTTP. */
export interface ProjectJob {
  id: string;
  get(): Promise<Job>;
  message(prompt: string): Promise<void>;
  archive(): Promise<Job>;
  changes(): Promise<Changes>;
  diff(): Promise<string>;
  file(path: string): Promise<FileContents>;
  /** Waits until the job has come to rest once more than when this was called last. */
  rest(): Promise<Job>;
  /** The log so far, or until the first event that is wanted. */
  eventsUntil(isWanted: (event: JobEvent) => boolean): Promise<JobEvent[]>;
}

export interface ConnectedProject {
  id: string;
  /** @throws Error with the answer when it is refused. */
  createJob(prompt: string, choices?: Omit<JobCreation, "prompt">): Promise<ProjectJob>;
}

export interface JobsClient extends ConnectedProject {
  /** A request with the project's key. @throws Error with the answer when it is refused. */
  call<Answer>(method: "GET" | "POST", path: string, body?: object): Promise<Answer>;
}

/** The jobs of one project of a running service, as a client of its API has them. */
export function createJobsClient(options: { url: string; projectId: string; key: string }): JobsClient {
  const { url, projectId, key } = options;
  const headers = { authorization: `Bearer ${key}` };

  async function send(method: "GET" | "POST", path: string, body?: object): Promise<Response> {
    const response = await fetch(url + path, {
      method,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }

  async function call<Answer>(method: "GET" | "POST", path: string, body?: object): Promise<Answer> {
    return (await send(method, path, body)).json() as Promise<Answer>;
  }

  function toJob(id: string): ProjectJob {
    const path = `/v2/agent/${projectId}/job/${id}`;
    let restedAt = 0;
    const job: ProjectJob = {
      id,
      get: () => call("GET", path),
      message: async (prompt) => void (await call("POST", `${path}/message`, { prompt })),
      archive: () => call("POST", `${path}/archive`),
      changes: () => call("GET", `${path}/changes`),
      diff: async () => (await send("GET", `${path}/changes/diff`)).text(),
      file: (filePath) => call("GET", `${path}/changes/file?path=${encodeURIComponent(filePath)}`),
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
    id: projectId,
    call,
    createJob: async (prompt, choices) =>
      toJob((await call<Job>("POST", `/v2/agent/${projectId}/job`, { prompt, ...choices })).id),
  };
}
