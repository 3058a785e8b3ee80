import type { PullRequest } from "@docent/sdk";
import { Anchor, Group, Title } from "@mantine/core";
import { useCallback } from "react";
import { Changes } from "../changes/changes.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { Loading } from "../components/loading.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { docent } from "../docent.ts";
import { useProject } from "../projects/project-context.tsx";
import { Commits } from "./commits.tsx";
import { Conversation } from "./conversation.tsx";
import { EndPanel } from "./end-panel.tsx";
import { Facts } from "./facts.tsx";
import { FetchCommands } from "./fetch-commands.tsx";
import classes from "./pulls.module.css";
import { imageAddress, usePullRequestDiff } from "./queries.ts";

/** Where the service cuts a diff off. */
const DIFF_BYTES_MAX = 16 * 1024 * 1024;

/** What it is about, what speaks for and against it, and what it changes. */
export function PullRequestView({ pull }: { pull: PullRequest }) {
  const { id } = useProject();
  return (
    <>
      <PageHeader title={`${pull.title} #${pull.number}`} description={<Facts pull={pull} />} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Conversation pull={pull} />
        </div>
        <div className={classes.side}>
          <EndPanel pull={pull} />
          <Commits commits={pull.commits} />
          <FetchCommands pull={pull} />
        </div>
      </div>
      <Group justify="space-between" mt="xl" mb="sm">
        <Title order={2} size="h4" id="changes">
          Changes
        </Title>
        {pull.headCommit !== null && (
          <Anchor size="sm" href={`/v1/projects/${id}/pulls/${pull.number}/diff`}>
            Diff as text
          </Anchor>
        )}
      </Group>
      <PullRequestChanges pull={pull} />
    </>
  );
}

function PullRequestChanges({ pull }: { pull: PullRequest }) {
  const { id } = useProject();
  const { number, headCommit } = pull;
  const diff = usePullRequestDiff(id, pull);
  const readFile = useCallback((path: string) => docent.pulls.file(id, number, path), [id, number]);
  const addressOf = useCallback((oid: string) => imageAddress(id, number, oid), [id, number]);
  if (headCommit === null) return <p>Its commits are not there any more.</p>;
  if (diff.data === undefined) {
    return diff.isError ? <ErrorNotice error={diff.error} onRetry={() => void diff.refetch()} /> : <Loading />;
  }
  return <Changes diff={diff.data} isComplete={isWhole(diff.data)} readFile={readFile} imageAddress={addressOf} />;
}

function isWhole(diff: string): boolean {
  // No character takes more than three bytes for each of its UTF-16 units.
  return diff.length * 3 < DIFF_BYTES_MAX || new Blob([diff]).size < DIFF_BYTES_MAX;
}
