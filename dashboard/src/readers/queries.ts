import type { ReportDays, ReportPage } from "@docent/sdk";
import { useQuery } from "@tanstack/react-query";
import { docent } from "../docent.ts";

export type Metric = "visitors" | "views";

const WHILE_SHOWN_MS = 30_000;
const UNTIL_FIRST_VISIT_MS = 2_000;

const readersKey = (projectId: string, ...rest: readonly unknown[]) => ["readers", projectId, ...rest] as const;

/** Visitors and views of the whole site; nothing is asked while `days` is null. */
export function useTotals(projectId: string, days: ReportDays | null) {
  return useQuery({
    ...options(projectId, "totals"),
    queryKey: readersKey(projectId, "totals", days),
    enabled: days !== null,
    queryFn: async ({ signal }) => {
      const page = { ...days, limit: 1 };
      const [visitors, views] = await Promise.all([
        docent.analytics.visitors(projectId, page, { signal }),
        docent.analytics.views(projectId, page, { signal }),
      ]);
      return { visitors: visitors.totals, views: views.totals, basis: visitors.basis };
    },
  });
}

export function useDays(projectId: string, days: ReportDays) {
  return useQuery({
    ...options(projectId, "timeseries"),
    queryKey: readersKey(projectId, "timeseries", days),
    queryFn: ({ signal }) => docent.analytics.timeseries(projectId, days, { signal }),
  });
}

/** One page of a report of paths; the page before is shown until the next one is there. */
export function usePaths(projectId: string, report: Metric | "not-found", page: ReportPage) {
  return useQuery({
    ...options(projectId, report),
    queryKey: readersKey(projectId, report, page),
    queryFn: async ({ signal }) => {
      switch (report) {
        case "visitors": {
          const { visitors: rows, hasMore } = await docent.analytics.visitors(projectId, page, { signal });
          return { rows, hasMore };
        }
        case "views": {
          const { views: rows, hasMore } = await docent.analytics.views(projectId, page, { signal });
          return { rows, hasMore };
        }
        case "not-found": {
          const { paths: rows, hasMore } = await docent.analytics.notFound(projectId, page, { signal });
          return { rows, hasMore };
        }
      }
    },
  });
}

export function useAgents(projectId: string, days: ReportDays) {
  return useQuery({
    ...options(projectId, "agents"),
    queryKey: readersKey(projectId, "agents", days),
    queryFn: async ({ signal }) => (await docent.analytics.agents(projectId, days, { signal })).agents,
  });
}

export function useBots(projectId: string, days: ReportDays) {
  return useQuery({
    ...options(projectId, "bots"),
    queryKey: readersKey(projectId, "bots", days),
    queryFn: async ({ signal }) => (await docent.analytics.bots(projectId, days, { signal })).bots,
  });
}

/** The sources that have ever sent a visit. Asks every two seconds until there is one, or on and on while `isWatched`. */
export function useSources(projectId: string, { isWatched = false }: { isWatched?: boolean } = {}) {
  return useQuery({
    queryKey: readersKey(projectId, "sources"),
    queryFn: async ({ signal }) => (await docent.analytics.visitors(projectId, { limit: 1 }, { signal })).basis.sources,
    refetchInterval: ({ state }) => (isWatched || state.data?.length === 0 ? UNTIL_FIRST_VISIT_MS : WHILE_SHOWN_MS),
  });
}

function options(projectId: string, report: string) {
  return {
    refetchInterval: WHILE_SHOWN_MS,
    // The figures of other days stay until the new ones are there; those of another project or report do not.
    placeholderData<Data>(previous: Data | undefined, query?: { queryKey: readonly unknown[] }): Data | undefined {
      return query?.queryKey[1] === projectId && query.queryKey[2] === report ? previous : undefined;
    },
  };
}
