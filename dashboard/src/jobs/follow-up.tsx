import type { Job } from "@docent/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { docent } from "../docent.ts";
import { useProject } from "../projects/project-context.tsx";
import { useDraft } from "./draft.ts";
import { jobKey } from "./job-query.ts";
import { PromptBox } from "./prompt-box.tsx";
import { SendFailure } from "./send-failure.tsx";
import { useSubmissions } from "./submission.ts";
import { scrollToEnd } from "./transcript/follow-end.ts";

/** Where a follow-up to a job is written. The transcript shows it once it was stored. */
export function FollowUp({ job }: { job: Job }) {
  const project = useProject();
  const client = useQueryClient();
  const [prompt, setPrompt] = useDraft(job.id);
  const submissions = useSubmissions(job.id);
  const send = useMutation({
    mutationFn: () => {
      const body = { prompt };
      return docent.jobs.message(project.id, job.id, body, { idempotencyKey: submissions.keyFor(body) });
    },
    onSuccess(active) {
      submissions.done();
      setPrompt("");
      client.setQueryData(jobKey(project.id, job.id), active);
      scrollToEnd();
    },
    // Somebody else may have archived it.
    onError: () => client.invalidateQueries({ queryKey: jobKey(project.id, job.id) }),
  });
  return (
    <>
      {send.isError && <SendFailure error={send.error} onRetry={() => send.mutate()} />}
      <PromptBox
        label="Follow-up"
        placeholder={job.status === "active" ? "Add something while it works" : "What should be different?"}
        text={prompt}
        onChange={setPrompt}
        onSend={() => send.mutate()}
        sendLabel="Send"
        isSending={send.isPending}
        rows={{ min: 1, max: 10 }}
        isCompact
      />
    </>
  );
}
