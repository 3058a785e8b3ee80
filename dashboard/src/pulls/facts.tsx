import type { PullRequest } from "@docent/sdk";
import { Anchor, Badge, Code, Group } from "@mantine/core";
import { IconGitMerge, IconGitPullRequest, IconGitPullRequestClosed } from "@tabler/icons-react";
import { Link } from "wouter";
import { Age } from "../components/age.tsx";

const STATES = {
  open: { color: "green", icon: IconGitPullRequest, label: "Open" },
  merged: { color: "violet", icon: IconGitMerge, label: "Merged" },
  closed: { color: "red", icon: IconGitPullRequestClosed, label: "Closed" },
} as const;

/** State, branches, where it comes from, and since when. */
export function Facts({ pull }: { pull: PullRequest }) {
  const { color, icon: Icon, label } = STATES[pull.state];
  return (
    <Group gap="xs" mt="xs">
      <Badge size="lg" variant="light" color={color} tt="none" leftSection={<Icon size={15} aria-hidden />}>
        {label}
      </Badge>
      {pull.draft && (
        <Badge size="lg" variant="light" color="gray" tt="none">
          Draft
        </Badge>
      )}
      {pull.labels.map((name) => (
        <Badge key={name} size="lg" variant="outline" color="gray" tt="none">
          {name}
        </Badge>
      ))}
      <span>
        <Code fz="sm">{pull.headBranch}</Code> into <Code fz="sm">{pull.baseBranch}</Code>
      </span>
      <span>
        opened <Age at={pull.createdAt} />
        {pull.job !== null && (
          <>
            {" by "}
            <Anchor component={Link} href={`/jobs/${pull.job.id}`} underline="always">
              a job
            </Anchor>
          </>
        )}
      </span>
      {pull.endedAt !== null && (
        <span>
          {pull.state} <Age at={pull.endedAt} />
        </span>
      )}
    </Group>
  );
}
