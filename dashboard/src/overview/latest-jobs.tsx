import { Skeleton, Text } from "@mantine/core";
import { ErrorNotice } from "../components/error-notice.tsx";
import { JobRow } from "../jobs/job-row.tsx";
import { useProject } from "../projects/project-context.tsx";
import { useMay } from "../session/session-context.tsx";
import { Card } from "./card.tsx";
import classes from "./overview.module.css";
import { useLatestJobs } from "./queries.ts";

/** What the agent does and has done last. */
export function LatestJobs() {
  const { id } = useProject();
  const mayCreate = useMay("editor");
  const jobs = useLatestJobs(id);
  return (
    <Card title="Latest jobs" href="/jobs" more="All jobs">
      {jobs.isError && <ErrorNotice error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.isPending && <Skeleton height={200} role="status" aria-label="Loading" />}
      {jobs.data?.length === 0 && (
        <Text c="dimmed">
          {mayCreate
            ? "None yet. Say what should change in the docs, and the agent answers with a pull request."
            : "None yet."}
        </Text>
      )}
      {jobs.data !== undefined && jobs.data.length > 0 && (
        <ul className={classes.jobs} aria-label="Latest jobs">
          {jobs.data.map((job) => (
            <li key={job.id}>
              <JobRow job={job} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
