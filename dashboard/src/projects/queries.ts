import type { Project } from "@docent/sdk";
import { useQuery } from "@tanstack/react-query";
import { docent } from "../docent.ts";

export const PROJECTS = ["projects"] as const;

export const projectKey = (projectId: string) => [...PROJECTS, projectId] as const;

const IMPORTING_POLL_MS = 1_500;

/** Every project, newest first; looked at again while a repository is being imported. */
export function useProjects() {
  return useQuery<Project[]>({
    queryKey: PROJECTS,
    queryFn: ({ signal }) => docent.projects.list({ signal }),
    staleTime: 30_000,
    refetchInterval: ({ state }) =>
      state.data?.some(({ state: its }) => its === "importing") === true ? IMPORTING_POLL_MS : false,
  });
}

/** One project, the same way. */
export function useProjectQuery(projectId: string) {
  return useQuery<Project>({
    queryKey: projectKey(projectId),
    queryFn: ({ signal }) => docent.projects.get(projectId, { signal }),
    staleTime: 30_000,
    refetchInterval: ({ state }) => (state.data?.state === "importing" ? IMPORTING_POLL_MS : false),
  });
}
