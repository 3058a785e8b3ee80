import { DocentError, isTransient } from "./error.ts";
import type { CreateJobBody, FileContents, Job, JobChanges, JobEvent, JobList, MessageJobBody } from "./generated.ts";
import { followJobEvents, type JobDelta } from "./job-events.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

export type JobStatus = Job["status"];

/** `idempotencyKey`: within 24 hours, the same key and prompt get the first answer again instead of a second job. */
export type SendOptions = RequestOptions & { idempotencyKey?: string | undefined };

/** `search`: a text in the job's title or in a prompt, in whatever case. */
export interface JobFilter {
  status?: JobStatus | undefined;
  search?: string | undefined;
}

type EventsOptions = RequestOptions & { after?: number };

export interface Jobs {
  create(projectId: string, job: CreateJobBody, options?: SendOptions): Promise<Job>;
  get(projectId: string, jobId: string, options?: RequestOptions): Promise<Job>;
  /** Sends a follow-up; a completed or failed job becomes active again. */
  message(projectId: string, jobId: string, message: MessageJobBody, options?: SendOptions): Promise<Job>;
  /** One page, newest first. */
  list(
    projectId: string,
    page?: JobFilter & { limit?: number | undefined; cursor?: string | undefined },
    options?: RequestOptions,
  ): Promise<JobList>;
  /** All jobs, newest first; pages are fetched as they are needed. */
  all(projectId: string, filter?: JobFilter, options?: RequestOptions): AsyncGenerator<Job, void, void>;
  /** The files that the job changed on its branch, also while it works. */
  changes(projectId: string, jobId: string, options?: RequestOptions): Promise<JobChanges>;
  /** Its changes as a unified diff. */
  diff(projectId: string, jobId: string, options?: RequestOptions): Promise<string>;
  /** A file that it changed, before and after. */
  file(projectId: string, jobId: string, filePath: string, options?: RequestOptions): Promise<FileContents>;
  /** Archives the job; running work stops. */
  archive(projectId: string, jobId: string, options?: RequestOptions): Promise<Job>;
  /**
   * The job's events after a position (0: from the first), then each new one as it happens. Reconnects by itself and
   * goes on where it was; ends once the job is archived, so stop it with `break` or the signal. With `deltas`, the text
   * that the model is writing comes between them.
   */
  events(
    projectId: string,
    jobId: string,
    options?: EventsOptions & { deltas?: false },
  ): AsyncGenerator<JobEvent, void, void>;
  events(
    projectId: string,
    jobId: string,
    options: EventsOptions & { deltas: boolean },
  ): AsyncGenerator<JobEvent | JobDelta, void, void>;
  /**
   * Polls until the job is no longer active, and returns it whatever became of it.
   * @throws DocentError `timed_out` after `timeoutMs`, if given.
   */
  waitFor(
    projectId: string,
    jobId: string,
    options?: RequestOptions & { pollMs?: number; timeoutMs?: number },
  ): Promise<Job>;
}

const key = (options?: RequestOptions) => ({ credential: "api-key" as const, signal: options?.signal });

export function createJobs(requester: Requester): Jobs {
  const send = (body: CreateJobBody | MessageJobBody, options?: SendOptions) => {
    const headers: Record<string, string> =
      options?.idempotencyKey === undefined ? {} : { "Idempotency-Key": options.idempotencyKey };
    return { ...key(options), body, headers };
  };
  const get: Jobs["get"] = (projectId, jobId, options) =>
    requester.json("GET", path`/v2/agent/${projectId}/job/${jobId}`, key(options));
  const list: Jobs["list"] = (projectId, page, options) =>
    requester.json("GET", path`/v2/agent/${projectId}/jobs`, { ...key(options), query: { ...page } });

  function events(
    projectId: string,
    jobId: string,
    options?: EventsOptions & { deltas?: false },
  ): AsyncGenerator<JobEvent, void, void>;
  function events(
    projectId: string,
    jobId: string,
    options: EventsOptions & { deltas: boolean },
  ): AsyncGenerator<JobEvent | JobDelta, void, void>;
  function events(projectId: string, jobId: string, options?: EventsOptions & { deltas?: boolean }) {
    return followJobEvents({
      requester,
      path: path`/v2/agent/${projectId}/job/${jobId}/events`,
      isArchived: async () => (await get(projectId, jobId, options)).status === "archived",
      after: options?.after ?? 0,
      deltas: options?.deltas === true,
      signal: options?.signal,
    });
  }

  return {
    get,
    list,
    create: (projectId, job, options) => requester.json("POST", path`/v2/agent/${projectId}/job`, send(job, options)),
    message: (projectId, jobId, message, options) =>
      requester.json("POST", path`/v2/agent/${projectId}/job/${jobId}/message`, send(message, options)),
    changes: (projectId, jobId, options) =>
      requester.json("GET", path`/v2/agent/${projectId}/job/${jobId}/changes`, key(options)),
    diff: (projectId, jobId, options) =>
      requester.text("GET", path`/v2/agent/${projectId}/job/${jobId}/changes/diff`, {
        ...key(options),
        headers: { Accept: "text/plain" },
      }),
    file: (projectId, jobId, filePath, options) =>
      requester.json("GET", path`/v2/agent/${projectId}/job/${jobId}/changes/file`, {
        ...key(options),
        query: { path: filePath },
      }),
    archive: (projectId, jobId, options) =>
      requester.json("POST", path`/v2/agent/${projectId}/job/${jobId}/archive`, key(options)),
    async *all(projectId, filter, options) {
      let cursor: string | undefined;
      do {
        const page: JobList = await list(projectId, { ...filter, limit: 100, cursor }, options);
        yield* page.jobs;
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
    events,
    async waitFor(projectId, jobId, options) {
      const pollMs = options?.pollMs ?? 500;
      let waitedMs = 0;
      for (;;) {
        const polled = await get(projectId, jobId, options).catch((error: unknown) => {
          if (isTransient(error)) return error;
          throw error;
        });
        if (!(polled instanceof DocentError) && polled.status !== "active") return polled;
        const pauseMs = polled instanceof DocentError ? Math.max(pollMs, (polled.retryAfter ?? 0) * 1000) : pollMs;
        if (options?.timeoutMs !== undefined && waitedMs + pauseMs > options.timeoutMs) {
          const message = `Job ${jobId} is still active after ${Math.round(waitedMs / 1000)} s.`;
          throw new DocentError(message, { status: 0, code: "timed_out" });
        }
        await requester.delay(pauseMs, options?.signal);
        waitedMs += pauseMs;
      }
    },
  };
}
