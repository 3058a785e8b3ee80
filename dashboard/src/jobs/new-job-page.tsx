import { Stack } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { ErrorNotice } from "../components/error-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { docent } from "../docent.ts";
import { useProject } from "../projects/project-context.tsx";
import { useMay } from "../session/session-context.tsx";
import { useDraft } from "./draft.ts";
import { jobKey } from "./job-query.ts";
import { JobOptions, type JobChoices } from "./job-options.tsx";
import { PromptBox } from "./prompt-box.tsx";
import { PromptExamples } from "./prompt-examples.tsx";
import { SendFailure } from "./send-failure.tsx";
import { useSubmissions } from "./submission.ts";
import { jobsKey } from "./use-jobs.ts";

export default function NewJobPage() {
  const project = useProject();
  const mayCreate = useMay("editor");
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [prompt, setPrompt] = useDraft(project.id);
  const [choices, setChoices] = useState<JobChoices>({});
  const submissions = useSubmissions(project.id);
  const model = useProjectModel();

  const create = useMutation({
    mutationFn: () => {
      const body = { prompt, ...choices };
      return docent.jobs.create(project.id, body, { idempotencyKey: submissions.keyFor(body) });
    },
    onSuccess(job) {
      submissions.done();
      setPrompt("");
      client.setQueryData(jobKey(project.id, job.id), job);
      void client.invalidateQueries({ queryKey: jobsKey(project.id) });
      navigate(`/jobs/${job.id}`, { replace: true });
    },
  });

  if (!mayCreate) {
    return (
      <>
        <PageHeader title="New job" />
        <ErrorNotice error={new Error("Your role lets you read this project. Ask an owner to make you an editor.")} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="New job"
        description="Say what should change in the docs. The agent works on a branch of its own and opens a pull request."
      />
      <Stack maw="52rem">
        <PromptBox
          label="Instruction"
          placeholder="What should change?"
          text={prompt}
          onChange={setPrompt}
          onSend={() => create.mutate()}
          sendLabel="Start the job"
          isSending={create.isPending}
          rows={{ min: 5, max: 18 }}
        />
        {create.isError && <SendFailure error={create.error} onRetry={() => create.mutate()} />}
        <JobOptions project={project} choices={choices} onChange={setChoices} />
        <PromptExamples model={choices.model ?? model} onChoose={setPrompt} />
      </Stack>
    </>
  );
}

/** The model of the project's jobs: its own, or that of the newest job; undefined while there is neither. */
function useProjectModel(): string | undefined {
  const { id, settings } = useProject();
  const newest = useQuery({
    queryKey: [...jobsKey(id), "newest"],
    queryFn: ({ signal }) => docent.jobs.list(id, { limit: 1 }, { signal }),
    enabled: settings.model === undefined,
  });
  return settings.model ?? newest.data?.jobs[0]?.model;
}
