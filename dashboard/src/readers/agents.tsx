import type { AgentsReport } from "@docent/sdk";
import { SegmentedControl, Table, Text } from "@mantine/core";
import { useState } from "react";
import { CountsHead } from "./counts-head.tsx";
import { DownloadButton } from "./download-button.tsx";
import { formatCount } from "./numbers.ts";
import { useAgents } from "./queries.ts";
import { reportDays, type Range } from "./range.ts";
import classes from "./readers.module.css";
import { Answer, Section } from "./section.tsx";

type Agent = AgentsReport["agents"][number];
type Grouping = "operator" | "purpose";

const PURPOSES: Record<Agent["purpose"], { label: string; description: string }> = {
  assistant: { label: "Assistant", description: "Assistants: read for a person who asks" },
  search: { label: "Search", description: "Search: read for an index" },
  training: { label: "Training", description: "Training: read for a model" },
  reader: { label: "Markdown reader", description: "Markdown readers: programs that fetch pages as Markdown" },
};

const UNKNOWN = "Operator not known";

/** Which AI agents read, by who runs them or by what they read for. */
export function Agents({ projectId, range }: { projectId: string; range: Range }) {
  const days = reportDays(range);
  const agents = useAgents(projectId, days);
  const [grouping, setGrouping] = useState<Grouping>("operator");
  return (
    <Section
      title="AI agents"
      description="A visitor who was seen as two agents counts for each."
      tools={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Group AI agents by"
            data={[
              { value: "operator", label: "Operator" },
              { value: "purpose", label: "Purpose" },
            ]}
            value={grouping}
            onChange={setGrouping}
          />
          <DownloadButton projectId={projectId} report="agents" rows={days} label="AI agents" />
        </>
      }
    >
      <Answer query={agents} height={160}>
        {(found) =>
          found.length === 0 ? (
            <Text c="dimmed">No AI agent was seen on these days.</Text>
          ) : (
            <Table className={classes.table} verticalSpacing={8}>
              <CountsHead label="Agent" />
              {[...groupAgents(found, grouping)].map(([group, members]) => (
                <AgentGroup key={group} group={group} members={members} grouping={grouping} />
              ))}
            </Table>
          )
        }
      </Answer>
    </Section>
  );
}

function AgentGroup({ group, members, grouping }: { group: string; members: readonly Agent[]; grouping: Grouping }) {
  return (
    <Table.Tbody>
      <Table.Tr className={classes.group}>
        <Table.Th scope="rowgroup" colSpan={2}>
          {group}
        </Table.Th>
        <Table.Th className={classes.number} aria-label={`Views of ${group}`}>
          {formatCount(viewsOf(members))}
        </Table.Th>
      </Table.Tr>
      {members.map(({ name, purpose, operator, visitors, views }) => (
        <Table.Tr key={name}>
          <Table.Th scope="row" fw={400}>
            <bdi>{name}</bdi>
            <Text size="xs" c="dimmed">
              {grouping === "operator" ? PURPOSES[purpose].label : (operator ?? UNKNOWN)}
            </Text>
          </Table.Th>
          <Table.Td className={classes.number}>{formatCount(visitors)}</Table.Td>
          <Table.Td className={classes.number}>{formatCount(views)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  );
}

/** The group that reads most comes first; views add up, visitors do not. */
function groupAgents(agents: readonly Agent[], grouping: Grouping): [string, Agent[]][] {
  const groups = Map.groupBy(agents, ({ operator, purpose }) =>
    grouping === "operator" ? (operator ?? UNKNOWN) : PURPOSES[purpose].description,
  );
  return [...groups].toSorted(([, a], [, b]) => viewsOf(b) - viewsOf(a));
}

function viewsOf(agents: readonly Agent[]): number {
  return agents.reduce((sum, { views }) => sum + views, 0);
}
