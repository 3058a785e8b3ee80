import type { Project } from "@docent/sdk";
import { useQuery } from "@tanstack/react-query";
import { docent } from "../docent.ts";

export const PROJECTS = ["projects"] as const;

/** Every project, newest first. */
export function useProjects() {
  return useQuery<Project[]>({
    queryKey: PROJECTS,
    queryFn: ({ signal }) => docent.projects.list({ signal }),
    staleTime: 30_000,
  });
}
