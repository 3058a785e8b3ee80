import { useQuery } from "@tanstack/react-query";
import { docent } from "../docent.ts";
import { keysKey } from "../keys/queries.ts";
import { jobsKey } from "../jobs/use-jobs.ts";

const JOBS_SHOWN = 5;
const ACTIVE_POLL_MS = 2_000;
const POLL_MS = 10_000;
/** A project with more jobs than that, none of them merged, has not forgotten to merge its first one. */
const JOBS_LOOKED_AT = 500;
const MERGED_STALE_MS = 60_000;

/** The newest jobs, kept up to date while the page is looked at. */
export function useLatestJobs(projectId: string) {
  return useQuery({
    queryKey: [...jobsKey(projectId), "latest"],
    queryFn: async ({ signal }) => (await docent.jobs.list(projectId, { limit: JOBS_SHOWN }, { signal })).jobs,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === "active") === true ? ACTIVE_POLL_MS : POLL_MS,
  });
}

/** Whether anybody has made an API key. */
export function useHasKey(projectId: string) {
  return useQuery({
    queryKey: keysKey(projectId),
    queryFn: ({ signal }) => docent.keys.list(projectId, { signal }),
    select: (keys) => keys.length > 0,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? POLL_MS : false),
  });
}

/** Whether a pull request of a job was merged, ever. */
export function useIsMerged(projectId: string) {
  return useQuery({
    queryKey: [...jobsKey(projectId), "merged"],
    async queryFn({ signal }) {
      let looked = 0;
      for await (const { pullRequest } of docent.jobs.all(projectId, {}, { signal })) {
        if (pullRequest?.state === "merged") return true;
        looked += 1;
        if (looked >= JOBS_LOOKED_AT) break;
      }
      return false;
    },
    staleTime: ({ state }) => (state.data === true ? Infinity : MERGED_STALE_MS / 4),
    refetchInterval: ({ state }) => (state.data === true ? false : MERGED_STALE_MS),
  });
}
