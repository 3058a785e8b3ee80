import { Anchor, Badge } from "@mantine/core";
import type { Job } from "@docent/sdk";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useProject } from "../projects/project-context.tsx";

/** Leads to a pull request: within these pages when the project is on the built-in code host. */
export function PullRequestLink({ number, url, children }: { number: number; url: string; children: ReactNode }) {
  const { codeHost } = useProject();
  if (codeHost === "builtin") {
    return (
      <Anchor component={Link} href={`/pull/${number}`} inherit underline="always">
        {children}
      </Anchor>
    );
  }
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit underline="always">
      {children}
    </Anchor>
  );
}

const COLORS = { open: "green", merged: "violet", closed: "gray" };

export function PullRequestState({ state }: { state: NonNullable<Job["pullRequest"]>["state"] }) {
  return (
    <Badge color={COLORS[state]} variant="light" size="sm" tt="capitalize">
      {state}
    </Badge>
  );
}
