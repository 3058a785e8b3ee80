import type { PullRequest } from "@docent/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { docent } from "../docent.ts";
import { projectKey } from "../projects/project-context.tsx";

/** While it is open, people push to it and Docent works on it. */
const WORKING_POLL_MS = 2_000;
const OPEN_POLL_MS = 5_000;

export const pullRequestKey = (projectId: string, number: number) =>
  [...projectKey(projectId), "pull", number] as const;

/** The pull request as it is now, for as long as it is open. */
export function usePullRequest(projectId: string, number: number) {
  return useQuery<PullRequest>({
    queryKey: pullRequestKey(projectId, number),
    queryFn: ({ signal }) => docent.pulls.get(projectId, number, { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data !== undefined && data.state !== "open") return false;
      return data?.job?.status === "active" ? WORKING_POLL_MS : OPEN_POLL_MS;
    },
  });
}

/** What it changes. The last diff stays while that of a new commit is read. */
export function usePullRequestDiff(projectId: string, { number, headCommit }: PullRequest) {
  return useQuery<string>({
    queryKey: [...pullRequestKey(projectId, number), "diff", headCommit],
    queryFn: ({ signal }) => docent.pulls.diff(projectId, number, { signal }),
    enabled: headCommit !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** Where the service has an image that the pull request changes. It is for `img` elements, so no client reads it. */
export function imageAddress(projectId: string, number: number, oid: string): string {
  return `/v1/projects/${projectId}/pulls/${number}/images/${oid}`;
}
