import type { Job } from "@docent/sdk";
import { useQuery } from "@tanstack/react-query";
import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconFileDiff } from "@tabler/icons-react";
import { useCallback } from "react";
import { Changes } from "../changes/changes.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { docent } from "../docent.ts";
import { useProject } from "../projects/project-context.tsx";

const ACTIVE_POLL_MS = 4_000;

const changesKey = (projectId: string, jobId: string) => ["job-changes", projectId, jobId] as const;

/** A job changes files while it is worked on alone. */
function stateOf(job: Job) {
  return { refetchInterval: job.status === "active" ? ACTIVE_POLL_MS : (false as const) };
}

/** Which files a job changed so far. */
export function useChangedFiles(projectId: string, job: Job) {
  return useQuery({
    queryKey: [...changesKey(projectId, job.id), "files", job.status],
    queryFn: ({ signal }) => docent.jobs.changes(projectId, job.id, { signal }),
    placeholderData: (before) => before,
    ...stateOf(job),
  });
}

/** What a job changed so far, as a diff and as pages that read. */
export function JobChanges({ job }: { job: Job }) {
  const project = useProject();
  const diff = useQuery({
    queryKey: [...changesKey(project.id, job.id), "diff", job.status],
    queryFn: ({ signal }) => docent.jobs.diff(project.id, job.id, { signal }),
    placeholderData: (before) => before,
    ...stateOf(job),
  });
  const files = useChangedFiles(project.id, job);
  const readFile = useCallback((path: string) => docent.jobs.file(project.id, job.id, path), [project.id, job.id]);
  if (diff.data === undefined) {
    return diff.isError ? <ErrorNotice error={diff.error} onRetry={() => void diff.refetch()} /> : <Loading />;
  }
  if (diff.data === "") {
    return (
      <EmptyState icon={IconFileDiff} title={job.status === "active" ? "Nothing changed yet" : "No file was changed"}>
        {job.status === "active" && "What the agent changes appears here as it works."}
      </EmptyState>
    );
  }
  return (
    <>
      {files.data?.discarded === true && (
        <Alert color="yellow" variant="light" mb="md" icon={<IconAlertTriangle aria-hidden />}>
          These changes were never published: the job ended before that, and they are in no branch.
        </Alert>
      )}
      <Changes diff={diff.data} isComplete={files.data?.complete ?? true} readFile={readFile} />
    </>
  );
}
