import type { PullRequest } from "./generated.ts";
import { path, type Requester, type RequestOptions } from "./request.ts";

/** Pull requests on the built-in code host. */
export interface Pulls {
  get(projectId: string, number: number, options?: RequestOptions): Promise<PullRequest>;
  /** A unified diff. */
  diff(projectId: string, number: number, options?: RequestOptions): Promise<string>;
  /** @throws DocentError `conflict` when the branches do not merge. */
  merge(projectId: string, number: number, options?: RequestOptions): Promise<PullRequest>;
  close(projectId: string, number: number, options?: RequestOptions): Promise<PullRequest>;
}

const either = (options?: RequestOptions) => ({ credential: "either" as const, signal: options?.signal });

export function createPulls(requester: Requester): Pulls {
  return {
    get: (projectId, number, options) =>
      requester.json("GET", path`/v1/projects/${projectId}/pulls/${number}`, either(options)),
    diff: (projectId, number, options) =>
      requester.text("GET", path`/v1/projects/${projectId}/pulls/${number}/diff`, {
        ...either(options),
        headers: { Accept: "text/plain" },
      }),
    merge: (projectId, number, options) =>
      requester.json("POST", path`/v1/projects/${projectId}/pulls/${number}/merge`, either(options)),
    close: (projectId, number, options) =>
      requester.json("POST", path`/v1/projects/${projectId}/pulls/${number}/close`, either(options)),
  };
}
