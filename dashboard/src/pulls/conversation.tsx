import type { PullRequest } from "@docent/sdk";
import { Anchor, Loader, Text, Title } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "wouter";
import { Age } from "../components/age.tsx";
import { LongMarkdown } from "./long-markdown.tsx";
import { useMay } from "../session/session-context.tsx";
import { CommentBox } from "./comment-box.tsx";
import classes from "./pulls.module.css";

/** The summary, what was said about it, and a box to say something. */
export function Conversation({ pull }: { pull: PullRequest }) {
  const mayComment = useMay("editor");
  const isWorking = pull.state === "open" && pull.job?.status === "active";
  useLinkedComment();
  return (
    <>
      <section className={`docent-card ${classes.panel}`} aria-labelledby="summary">
        <Title order={2} size="h5" id="summary" mb="xs">
          Summary
        </Title>
        {pull.body.trim() === "" ? <Text c="dimmed">It has none.</Text> : <LongMarkdown text={pull.body} />}
      </section>
      {pull.comments.length > 0 && (
        <section aria-labelledby="comments">
          <Title order={2} size="h5" id="comments" mb="xs">
            {pull.comments.length === 1 ? "1 comment" : `${pull.comments.length} comments`}
          </Title>
          <ol className={classes.comments}>
            {pull.comments.map(({ id, author, body, createdAt }) => (
              <li key={id} id={id} className={`docent-card ${classes.comment}`}>
                <div className={classes.commentHead}>
                  <bdi className={classes.commentAuthor}>{author}</bdi>
                  <Age at={createdAt} />
                </div>
                <div className={classes.commentBody}>
                  <LongMarkdown text={body} />
                </div>
              </li>
            ))}
          </ol>
        </section>
      )}
      <div role="status" className={classes.status}>
        {isWorking && pull.job !== null && (
          <div className={`docent-card ${classes.working}`}>
            <Loader size="xs" aria-hidden />
            <Text size="sm">
              Docent is at work on it.{" "}
              <Anchor component={Link} href={`/jobs/${pull.job.id}`} underline="always">
                Watch the job
              </Anchor>
            </Text>
          </div>
        )}
      </div>
      {mayComment && <CommentBox pull={pull} />}
    </>
  );
}

/** Messages of jobs link to the comment that they came from; the browser looked for it before it was there. */
function useLinkedComment(): void {
  useEffect(() => {
    const id = location.hash.slice(1);
    if (id !== "") document.querySelector(`#${CSS.escape(id)}`)?.scrollIntoView({ block: "center" });
  }, []);
}
