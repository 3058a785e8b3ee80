import type { PullRequest } from "@docent/sdk";
import { Button, Group, List, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconHelpCircle } from "@tabler/icons-react";
import { useState } from "react";
import { useMay } from "../session/session-context.tsx";
import { EndDialog } from "./end-dialog.tsx";
import classes from "./pulls.module.css";

const PROBLEMS_SHOWN = 20;

const CHECK_ICONS = {
  passed: { icon: IconCircleCheck, color: "light-dark(#1b6b31, #6fd08c)", label: "Passed" },
  failed: { icon: IconAlertTriangle, color: "light-dark(#b42318, #f28b82)", label: "Failed" },
  unknown: { icon: IconHelpCircle, color: "var(--mantine-color-dimmed)", label: "Unknown" },
} as const;

/** What the checks say, and the buttons that end it. */
export function EndPanel({ pull }: { pull: PullRequest }) {
  const mayEnd = useMay("editor");
  const [ending, setEnding] = useState<"merge" | "close" | null>(null);
  const isOpen = pull.state === "open";
  if (!isOpen && pull.checks.length === 0) return null;
  return (
    <section className={`docent-card ${classes.panel}`} aria-labelledby="checks">
      <Title order={2} size="h5" id="checks" mb="xs">
        Checks
      </Title>
      {pull.checks.map((check) => (
        <CheckResult key={check.name} check={check} />
      ))}
      {isOpen && mayEnd && (
        <Group gap="sm" mt="sm">
          <Button disabled={pull.mergeable !== true} onClick={() => setEnding("merge")}>
            Merge
          </Button>
          <Button variant="default" onClick={() => setEnding("close")}>
            Close
          </Button>
        </Group>
      )}
      {isOpen && !mayEnd && (
        <Text size="sm" c="dimmed" mt="sm">
          Editors of the project can merge and close it.
        </Text>
      )}
      {ending !== null && <EndDialog operation={ending} pull={pull} onClose={() => setEnding(null)} />}
    </section>
  );
}

function CheckResult({ check }: { check: PullRequest["checks"][number] }) {
  const { icon: Icon, color, label } = CHECK_ICONS[check.state];
  const shown = check.problems.slice(0, PROBLEMS_SHOWN);
  return (
    <div className={classes.check}>
      <Icon size={20} color={color} role="img" aria-label={label} className={classes.checkIcon} />
      <div>
        <Text fw={600} size="sm">
          {check.name}
        </Text>
        <Text size="sm" dir="auto">
          {check.summary}
        </Text>
        {shown.length > 0 && (
          <List size="sm" mt={4}>
            {shown.map((problem) => (
              <List.Item key={problem}>
                <bdi>{problem}</bdi>
              </List.Item>
            ))}
            {check.problems.length > shown.length && (
              <List.Item>and {check.problems.length - shown.length} more</List.Item>
            )}
          </List>
        )}
      </div>
    </div>
  );
}
