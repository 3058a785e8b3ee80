import type { Job } from "@docent/sdk";
import { useQuery } from "@tanstack/react-query";
import { docent } from "../docent.ts";

const ACTIVE_POLL_MS = 2_000;
const POLL_MS = 15_000;

export const jobKey = (projectId: string, jobId: string) => ["job", projectId, jobId] as const;

/** One job, kept up to date while the page is looked at. */
export function useJob(projectId: string, jobId: string) {
  return useQuery<Job>({
    queryKey: jobKey(projectId, jobId),
    queryFn: ({ signal }) => docent.jobs.get(projectId, jobId, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.status === "active" ? ACTIVE_POLL_MS : POLL_MS),
  });
}
