import type { PullRequest } from "@docent/sdk";
import { Button, Title, Tooltip } from "@mantine/core";
import { useState } from "react";
import { Age } from "../components/age.tsx";
import classes from "./pulls.module.css";

const FIRST_SHOWN = 5;

/** The commits, the newest first. */
export function Commits({ commits }: { commits: PullRequest["commits"] }) {
  const [isWhole, setIsWhole] = useState(false);
  const newestFirst = commits.toReversed();
  const shown = isWhole ? newestFirst : newestFirst.slice(0, FIRST_SHOWN);
  return (
    <section className={`docent-card ${classes.panel}`} aria-labelledby="commits">
      <Title order={2} size="h5" id="commits">
        {commits.length === 1 ? "1 commit" : `${commits.length} commits`}
      </Title>
      <ul className={classes.commits}>
        {shown.map(({ oid, title, message, authorName, authoredAt }) => (
          <li key={oid}>
            <div dir="auto" className={classes.commitTitle}>
              {message === "" ? (
                title
              ) : (
                <details>
                  <summary>{title}</summary>
                  <pre className={classes.commitMessage}>{message}</pre>
                </details>
              )}
            </div>
            <div className={classes.commitFacts}>
              <Tooltip label={oid}>
                <code>{oid.slice(0, 8)}</code>
              </Tooltip>{" "}
              <bdi>{authorName}</bdi>, <Age at={authoredAt} />
            </div>
          </li>
        ))}
      </ul>
      {!isWhole && commits.length > FIRST_SHOWN && (
        <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => setIsWhole(true)}>
          Show {commits.length - FIRST_SHOWN} more
        </Button>
      )}
    </section>
  );
}
