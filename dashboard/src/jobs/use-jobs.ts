import type { Job, JobStatus } from "@docent/sdk";
import { useMutation, useQuery, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { docent } from "../docent.ts";
import { addPage, firstPage, jobsOf, replacePage, type JobPages } from "./job-pages.ts";

const PAGE_SIZE = 50;
const ACTIVE_POLL_MS = 2_000;
const POLL_MS = 10_000;

export interface JobFilter {
  status?: JobStatus | undefined;
  search?: string | undefined;
}

/** The lists of a project's jobs. */
export const jobsKey = (projectId: string) => ["jobs", projectId] as const;

export interface ListedJobs {
  /** Absent until the first answer. */
  jobs: readonly Job[] | undefined;
  error: Error | null;
  retry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  /** Tells which jobs are in sight: they are kept up to date, and so are the newest. */
  watch: (firstId: string, lastId: string) => void;
}

/** Jobs, newest first: as many pages as were asked for, kept up to date while the page is looked at. */
export function useJobs(projectId: string, filter: JobFilter): ListedJobs {
  const client = useQueryClient();
  const key: QueryKey = [...jobsKey(projectId), filter];
  const inSight = useRef({ firstId: "", lastId: "" });
  const read = (cursor: string | undefined, signal?: AbortSignal) =>
    docent.jobs.list(projectId, { ...filter, cursor, limit: PAGE_SIZE }, { signal });
  const known = (): JobPages | undefined => client.getQueryData<JobPages>(key);

  const list = useQuery({
    queryKey: key,
    async queryFn({ signal }) {
      const cursors = new Set([undefined, ...cursorsInSight(known(), inSight.current)]);
      const lists = await Promise.all(
        [...cursors].map(async (cursor) => ({ cursor, list: await read(cursor, signal) })),
      );
      // More pages may have come meanwhile.
      let pages = known();
      for (const { cursor, list: answer } of lists) {
        pages = pages === undefined ? firstPage(answer) : replacePage(pages, cursor, answer);
      }
      return pages ?? { pages: [], nextCursor: null };
    },
    // While somebody types, what was found before stays.
    placeholderData: (before, query) => (query?.queryKey[1] === projectId ? before : undefined),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && jobsOf(data).some(({ status }) => status === "active") ? ACTIVE_POLL_MS : POLL_MS,
  });

  const more = useMutation({
    mutationFn: async (cursor: string) => ({ listKey: key, cursor, list: await read(cursor) }),
    // By then the filter may be another one.
    onSuccess: ({ listKey, cursor, list: answer }) =>
      client.setQueryData<JobPages>(listKey, (pages) => pages && addPage(pages, cursor, answer)),
  });

  const { data } = list;
  const nextCursor = data?.nextCursor ?? null;
  return {
    jobs: useMemo(() => (data === undefined ? undefined : jobsOf(data)), [data]),
    error: list.error ?? more.error,
    retry: () => {
      more.reset();
      void list.refetch();
    },
    hasMore: nextCursor !== null,
    isLoadingMore: more.isPending,
    loadMore() {
      if (nextCursor !== null && more.isIdle) more.mutate(nextCursor, { onSuccess: () => more.reset() });
    },
    watch(firstId, lastId) {
      inSight.current = { firstId, lastId };
    },
  };
}

/** What the pages are read with that hold the jobs between two. */
function cursorsInSight(
  known: JobPages | undefined,
  { firstId, lastId }: { firstId: string; lastId: string },
): (string | undefined)[] {
  if (known === undefined) return [];
  return known.pages
    .filter(({ jobs }) => jobs.some(({ id }) => id <= firstId && id >= lastId))
    .map(({ cursor }) => cursor);
}
