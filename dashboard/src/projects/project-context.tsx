import type { Project } from "@docent/sdk";
import { createContext, useContext, type ReactNode } from "react";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { ImportNotice } from "./import-notice.tsx";
import { projectKey, useProjectQuery } from "./queries.ts";

export { projectKey };

const OpenProject = createContext<Project | null>(null);

/** Reads the project of the address for everything inside. */
export function ProjectProvider({ projectId, children }: { projectId: string; children: ReactNode }) {
  const project = useProjectQuery(projectId);
  if (project.data !== undefined) {
    return (
      <OpenProject value={project.data}>
        <ImportNotice project={project.data} />
        {children}
      </OpenProject>
    );
  }
  return project.isError ? <ErrorNotice error={project.error} onRetry={() => void project.refetch()} /> : <Loading />;
}

/** The project that is open. */
export function useProject(): Project {
  const project = useContext(OpenProject);
  if (project === null) throw new Error("No project is open here.");
  return project;
}
