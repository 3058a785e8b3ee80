import type { Author, JobStatus } from "../database/schema.ts";
import type { JobChanges } from "./changes/changes.ts";
import type { JobDelta } from "./deltas.ts";

/** A job as the API answers it. Every field is always present. Timestamps are ISO 8601 UTC. */
export interface Job {
  id: string;
  /** What it is about, in a line: what it was asked first, then its pull request's title. */
  title: string;
  /** Who created it; null when that was before this was kept. */
  author: Author | null;
  status: JobStatus;
  source: {
    /** The repository's full URL. */
    repository: string;
    /** The branch the job started from. */
    ref: string;
  };
  model: string;
  /** Null while active and when no file changed. */
  prLink: string | null;
  createdAt: string;
  archivedAt: string | null;
  /** Null until pushed. */
  branch: string | null;
  pullRequest: { url: string; number: number; state: "open" | "merged" | "closed" } | null;
  /** Null unless failed. */
  failureReason: string | null;
  /** While nobody works on an active job because something did not answer: what, and when it is tried again. Else null. */
  waiting: { reason: string; until: string } | null;
  /** Of the whole job, follow-ups included. */
  usage: {
    /** Answers of models. */
    steps: number;
    /** Tokens, cached ones included. */
    inputTokens: number;
    cachedInputTokens: number;
    outputTokens: number;
    /** Null when a price is not known. */
    costUsd: number | null;
  };
}

/** One entry of a job's event log. `position` grows by one per job and is the SSE `id`. */
export interface JobEvent {
  position: number;
  type: "message" | "prompt" | "note" | "answer" | "tool-result" | "compaction" | "publish" | "turn-end" | "status";
  data: object;
  createdAt: string;
}

/** What a job is created with; what is absent is the project's. */
export interface JobCreation {
  prompt: string;
  /** The branch to start from and to open the pull request against; one that the project allows. */
  ref?: string;
  /** Open the pull request as a draft. */
  draft?: boolean;
  /** `provider:model`; one that the project allows. */
  model?: string;
}

/** A field asks for what the project does not allow. The message names the field and what is allowed. */
export interface InvalidJob {
  refused: "invalid_request";
  message: string;
}

/** What the HTTP layer asks of the jobs. `not_found` also stands for another project's job. */
export interface Jobs extends JobChanges {
  create(
    projectId: string,
    request: JobCreation & { author?: Author; idempotency?: Idempotency },
  ): Promise<{ job: Job } | { refused: "not_found" | "idempotency_conflict" } | InvalidJob>;
  get(projectId: string, jobId: string): Promise<Job | undefined>;
  /**
   * Newest first. `cursor` is the `nextCursor` of the page before; `search` a text in the title or a prompt, in whatever
   * case.
   */
  list(
    projectId: string,
    page: { limit: number; cursor?: string; status?: JobStatus; search?: string },
  ): Promise<{ jobs: Job[]; nextCursor: string | null }>;
  message(
    projectId: string,
    jobId: string,
    request: { prompt: string; author?: Author; idempotency?: Idempotency },
  ): Promise<{ job: Job } | { refused: "not_found" | "archived" | "idempotency_conflict" }>;
  archive(projectId: string, jobId: string): Promise<Job | undefined>;
  /**
   * The events after a position, then each new one as it is stored, and between them the text of an answer while the
   * model writes it, until the signal aborts. Ends after the job is archived and drained.
   */
  events(
    projectId: string,
    jobId: string,
    options: { after: number; signal: AbortSignal },
  ): Promise<AsyncIterable<JobEvent | JobDelta> | undefined>;
}

export interface Idempotency {
  /** The client's Idempotency-Key. */
  key: string;
  /** SHA-256 of what makes the request the same request. */
  requestHash: Buffer;
}
