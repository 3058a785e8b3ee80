import type { CommentAnswer, CommentPullRequestBody, FileContents, PullRequest, PullRequestList } from "./generated.ts";
import type { SendOptions } from "./jobs.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

/** Pull requests on the built-in code host. */
export interface Pulls {
  /** One page, newest first. */
  list(
    projectId: string,
    page?: { limit?: number | undefined; cursor?: string | undefined; state?: PullRequest["state"] | undefined },
    options?: RequestOptions,
  ): Promise<PullRequestList>;
  get(projectId: string, number: number, options?: RequestOptions): Promise<PullRequest>;
  /** A unified diff. */
  diff(projectId: string, number: number, options?: RequestOptions): Promise<string>;
  /** A file that it changes, before and after. */
  file(projectId: string, number: number, filePath: string, options?: RequestOptions): Promise<FileContents>;
  /** Says something below it. While it is open, its job gets the comment as a message; the answer tells. */
  comment(
    projectId: string,
    number: number,
    comment: CommentPullRequestBody,
    options?: SendOptions,
  ): Promise<CommentAnswer>;
  /**
   * With `head`, a commit: only while the branch stands there.
   * @throws DocentError `conflict` when the branches do not merge, or the branch stands elsewhere.
   */
  merge(projectId: string, number: number, options?: RequestOptions & { head?: string }): Promise<PullRequest>;
  close(projectId: string, number: number, options?: RequestOptions): Promise<PullRequest>;
}

const either = (options?: RequestOptions) => ({ credential: "either" as const, signal: options?.signal });

export function createPulls(requester: Requester): Pulls {
  return {
    list: (projectId, page, options) =>
      requester.json("GET", path`/v1/projects/${projectId}/pulls`, { ...either(options), query: { ...page } }),
    file: (projectId, number, filePath, options) =>
      requester.json("GET", path`/v1/projects/${projectId}/pulls/${number}/file`, {
        ...either(options),
        query: { path: filePath },
      }),
    comment: (projectId, number, comment, options) =>
      requester.json("POST", path`/v1/projects/${projectId}/pulls/${number}/comments`, {
        ...either(options),
        body: comment,
        headers: options?.idempotencyKey === undefined ? {} : { "Idempotency-Key": options.idempotencyKey },
      }),
    get: (projectId, number, options) =>
      requester.json("GET", path`/v1/projects/${projectId}/pulls/${number}`, either(options)),
    diff: (projectId, number, options) =>
      requester.text("GET", path`/v1/projects/${projectId}/pulls/${number}/diff`, {
        ...either(options),
        headers: { Accept: "text/plain" },
      }),
    merge: (projectId, number, options) =>
      requester.json("POST", path`/v1/projects/${projectId}/pulls/${number}/merge`, {
        ...either(options),
        query: { head: options?.head },
      }),
    close: (projectId, number, options) =>
      requester.json("POST", path`/v1/projects/${projectId}/pulls/${number}/close`, either(options)),
  };
}
