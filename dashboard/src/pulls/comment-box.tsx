import type { PullRequest } from "@docent/sdk";
import { Alert, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { docent } from "../docent.ts";
import { useDraft } from "../jobs/draft.ts";
import { PromptBox } from "../jobs/prompt-box.tsx";
import { SendFailure } from "../jobs/send-failure.tsx";
import { useSubmissions } from "../jobs/submission.ts";
import { useProject } from "../projects/project-context.tsx";
import classes from "./pulls.module.css";
import { pullRequestKey } from "./queries.ts";

/** Says something below the pull request; while it is open, its job takes that up. */
export function CommentBox({ pull }: { pull: PullRequest }) {
  const { id } = useProject();
  const client = useQueryClient();
  const name = `comment ${id} ${pull.number}`;
  const [text, setText] = useDraft(name);
  const submissions = useSubmissions(name);
  const comment = useMutation({
    mutationFn: (body: string) =>
      docent.pulls.comment(id, pull.number, { body }, { idempotencyKey: submissions.keyFor({ body }) }),
    onSuccess: async () => {
      submissions.done();
      setText("");
      await client.invalidateQueries({ queryKey: pullRequestKey(id, pull.number), exact: true });
    },
  });
  const send = (): void => comment.mutate(text);
  return (
    <section className={`docent-card ${classes.panel}`} aria-label="New comment">
      <Text size="sm" c="dimmed" mb="xs">
        {describeEffect(pull)}
      </Text>
      <PromptBox
        label="Comment"
        placeholder={pull.state === "open" ? "What should be different?" : "Comment"}
        text={text}
        onChange={setText}
        onSend={send}
        sendLabel="Comment"
        isSending={comment.isPending}
        rows={{ min: 3, max: 20 }}
      />
      {comment.isError && <SendFailure error={comment.error} onRetry={send} />}
      <div role="status">
        {comment.data !== undefined && comment.data.reason !== null && (
          <Alert mt="sm" color="yellow" variant="light" title="Stored, and not taken up by Docent">
            {comment.data.reason}
          </Alert>
        )}
      </div>
    </section>
  );
}

function describeEffect({ state, job }: PullRequest): string {
  if (state !== "open") return `It is ${state}: comments are kept, and Docent does not act on them.`;
  if (job === null || job.status === "archived")
    return "No job goes on with this pull request: comments are only kept.";
  return "Docent takes it up as a follow-up and pushes to this branch.";
}
