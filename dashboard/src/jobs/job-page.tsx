import type { Job, JobEvent } from "@docent/sdk";
import { Alert, Button, Tabs, Text } from "@mantine/core";
import { IconExternalLink, IconGitPullRequest } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { Link, useParams, useSearchParams } from "wouter";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { useProject } from "../projects/project-context.tsx";
import { useMay } from "../session/session-context.tsx";
import { ArchiveButton } from "./archive-button.tsx";
import { FollowUp } from "./follow-up.tsx";
import { JobChanges, useChangedFiles } from "./job-changes.tsx";
import { JobFacts } from "./job-facts.tsx";
import { jobKey, useJob } from "./job-query.ts";
import { TranscriptList } from "./transcript/transcript-list.tsx";
import { useTranscript } from "./transcript/use-transcript.ts";
import { WaitingNotice } from "./waiting-notice.tsx";

export default function JobPage() {
  const { jobId = "" } = useParams();
  const project = useProject();
  const job = useJob(project.id, jobId);
  if (job.data === undefined) {
    return job.isError ? <ErrorNotice error={job.error} onRetry={() => void job.refetch()} /> : <Loading />;
  }
  return <OpenJob key={jobId} job={job.data} />;
}

/** Events after which the job itself is another one. */
const TELLING: readonly JobEvent["type"][] = ["status", "turn-end", "publish", "answer"];

function OpenJob({ job }: { job: Job }) {
  const project = useProject();
  const mayWork = useMay("editor") && job.status !== "archived";
  const client = useQueryClient();
  const [parameters, setParameters] = useSearchParams();
  const view = parameters.get("view") === "changes" ? "changes" : "transcript";
  const changedFiles = useChangedFiles(project.id, job).data?.files.length ?? 0;

  const onEvent = useCallback(
    ({ type }: JobEvent) => {
      if (TELLING.includes(type)) void client.invalidateQueries({ queryKey: jobKey(project.id, job.id) });
    },
    [client, project.id, job.id],
  );
  const transcript = useTranscript(project.id, job.id, onEvent);

  return (
    <>
      <PageHeader
        title={job.title}
        description={<JobFacts job={job} />}
        actions={
          <>
            <PullRequestButton job={job} />
            {mayWork && <ArchiveButton job={job} />}
          </>
        }
      />
      {job.waiting !== null && <WaitingNotice waiting={job.waiting} />}
      {job.failureReason !== null && (
        <Alert color="red" variant="light" mb="md" title="The job failed">
          {/* All of it stands at the end of the transcript. */}
          <Text size="sm" lineClamp={4} dir="auto">
            {job.failureReason.trim().split("\n", 1)[0]}
          </Text>
        </Alert>
      )}
      <Tabs
        value={view}
        onChange={(next) => setParameters(next === "changes" ? { view: "changes" } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="sm">
          <Tabs.Tab value="transcript">Transcript</Tabs.Tab>
          <Tabs.Tab value="changes">Changes{changedFiles > 0 && ` (${changedFiles})`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="transcript">
          {transcript.error !== null && <ErrorNotice error={transcript.error} onRetry={() => location.reload()} />}
          {transcript.items.length === 0 && transcript.error === null ? (
            <Loading />
          ) : (
            <TranscriptList
              items={transcript.items}
              follows={job.status === "active"}
              footer={mayWork && <FollowUp job={job} />}
            />
          )}
          <Progress job={job} />
        </Tabs.Panel>
        <Tabs.Panel value="changes">
          <JobChanges job={job} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Tells people who do not see the screen how it goes. */
function Progress({ job }: { job: Job }) {
  return (
    <div
      role="status"
      aria-live="polite"
      style={{ position: "absolute", width: 1, height: 1, overflow: "hidden", clipPath: "inset(50%)" }}
    >
      The job is {job.waiting === null ? job.status : "waiting"}.
    </div>
  );
}

function PullRequestButton({ job: { pullRequest } }: { job: Job }) {
  const { codeHost } = useProject();
  if (pullRequest === null) return null;
  const label = `Pull request #${pullRequest.number}`;
  const icon = <IconGitPullRequest size={18} aria-hidden />;
  if (codeHost === "builtin") {
    return (
      <Button component={Link} href={`/pull/${pullRequest.number}`} leftSection={icon}>
        {label}
      </Button>
    );
  }
  return (
    <Button
      component="a"
      href={pullRequest.url}
      target="_blank"
      rel="noopener noreferrer"
      leftSection={icon}
      rightSection={<IconExternalLink size={16} aria-label="opens in a new tab" />}
    >
      {label}
    </Button>
  );
}
