import type { ReportBasis } from "@docent/sdk";
import { Alert, Anchor, Text } from "@mantine/core";
import { IconRobotOff } from "@tabler/icons-react";
import { Link } from "wouter";
import { useProject } from "../projects/project-context.tsx";
import { useTotals } from "./queries.ts";
import { formatDay, reportDays, type Range } from "./range.ts";
import { describeSources, seesAgents } from "./sources.ts";

/** Tells those who count with the tracker alone what it cannot see. */
export function AgentsUnseen({ projectId, range }: { projectId: string; range: Range }) {
  const sources = useTotals(projectId, reportDays(range)).data?.basis.sources ?? [];
  if (sources.length === 0 || seesAgents(sources)) return null;
  return (
    <Alert icon={<IconRobotOff aria-hidden />} color="yellow" variant="light" title="AI agents are not seen yet">
      Only the tracker sent visits on these days. It runs in browsers, and AI agents run no JavaScript.{" "}
      <Anchor component={Link} href="/readers?view=set-up" inherit underline="always">
        Add the middleware or import logs
      </Anchor>{" "}
      to see them.
    </Alert>
  );
}

/** What the figures stand on. */
export function BasisNotes({ projectId, range }: { projectId: string; range: Range }) {
  const { data } = useTotals(projectId, reportDays(range));
  const { analytics } = useProject().settings;
  if (data === undefined) return null;
  return (
    <Text size="sm" c="dimmed" style={{ flex: "1 1 16rem" }}>
      {sentencesOf(data.basis, analytics?.peopleSources ?? [], analytics?.agentSources ?? []).join(" ")}
    </Text>
  );
}

function sentencesOf(
  { sources, ai, retainedFrom }: ReportBasis,
  people: readonly string[],
  agents: readonly string[],
): string[] {
  return [
    sources.length === 0
      ? "No source sent visits on these days."
      : `Based on what ${describeSources(sources)} sent on these days.`,
    ...(people.length === 0 ? [] : [`People are counted by ${describeSources(people)} alone.`]),
    ...(agents.length === 0 ? [] : [`AI agents are counted by ${describeSources(agents)} alone.`]),
    ...(ai === "assistants" ? ["Of AI agents, only assistants and readers of Markdown count."] : []),
    ...(retainedFrom === null ? [] : [`Visits before ${formatDay(retainedFrom)} are no longer kept.`]),
  ];
}
