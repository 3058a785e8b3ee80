import type { Project } from "@docent/sdk";
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, type ReactNode } from "react";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { docent } from "../docent.ts";
import { PROJECTS } from "./queries.ts";

const OpenProject = createContext<Project | null>(null);

export const projectKey = (projectId: string) => [...PROJECTS, projectId] as const;

/** Reads the project of the address for everything inside. */
export function ProjectProvider({ projectId, children }: { projectId: string; children: ReactNode }) {
  const project = useQuery({
    queryKey: projectKey(projectId),
    queryFn: ({ signal }) => docent.projects.get(projectId, { signal }),
    staleTime: 30_000,
  });
  if (project.data !== undefined) return <OpenProject value={project.data}>{children}</OpenProject>;
  return project.isError ? <ErrorNotice error={project.error} onRetry={() => void project.refetch()} /> : <Loading />;
}

/** The project that is open. */
export function useProject(): Project {
  const project = useContext(OpenProject);
  if (project === null) throw new Error("No project is open here.");
  return project;
}
