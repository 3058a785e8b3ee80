import { Anchor, Button, Group, Progress, Text, Title } from "@mantine/core";
import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import { useProject } from "../projects/project-context.tsx";
import { useSources } from "../readers/queries.ts";
import { seesAgents } from "../readers/sources.ts";
import classes from "./overview.module.css";
import { useHasKey, useIsMerged, useLatestJobs } from "./queries.ts";

interface Step {
  title: string;
  description: string;
  href: string;
  /** Undefined while it is not known. */
  isDone: boolean | undefined;
}

/** What a new project still needs, until nothing is left or somebody has seen enough of it. */
export function SetUpSteps() {
  const { id } = useProject();
  const steps = useSteps();
  const [isHidden, hide] = useHidden(`docent set-up hidden ${id}`);
  const done = steps.filter(({ isDone }) => isDone).length;
  // Nothing flashes up that is done already.
  if (isHidden || done === steps.length || steps.some(({ isDone }) => isDone === undefined)) return null;
  return (
    <section className={`docent-card ${classes.card} ${classes.whole}`} aria-labelledby="set-up">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4" id="set-up">
          Set up
        </Title>
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {done} of {steps.length} done
          </Text>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={hide}>
            Hide
          </Button>
        </Group>
      </Group>
      <Progress value={(done / steps.length) * 100} size="sm" mb="md" aria-label="Set up" />
      <ol className={classes.steps}>
        {steps.map((step) => (
          <StepItem key={step.title} step={step} />
        ))}
      </ol>
    </section>
  );
}

function StepItem({ step: { title, description, href, isDone } }: { step: Step }) {
  return (
    <li className={classes.step}>
      {isDone === true ? (
        <IconCircleCheckFilled size={20} role="img" aria-label="Done:" color="var(--mantine-color-green-light-color)" />
      ) : (
        <IconCircle size={20} stroke={1.6} role="img" aria-label="To do:" color="var(--mantine-color-dimmed)" />
      )}
      <div>
        {isDone === true ? (
          <Text c="dimmed">{title}</Text>
        ) : (
          <>
            <Anchor component={Link} href={href} fw={600}>
              {title}
            </Anchor>
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          </>
        )}
      </div>
    </li>
  );
}

/** Kept in the browser: it is this person who has seen enough. */
function useHidden(key: string): [isHidden: boolean, hide: () => void] {
  const [hidden, setHidden] = useState<string | null>(null);
  return [
    hidden === key || read(key) !== null,
    () => {
      setHidden(key);
      try {
        localStorage.setItem(key, "yes");
      } catch {
        // A browser without storage shows it again the next time.
      }
    },
  ];
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function useSteps(): Step[] {
  const { id, state } = useProject();
  const hasKey = useHasKey(id);
  const jobs = useLatestJobs(id);
  const isMerged = useIsMerged(id);
  const sources = useSources(id);
  return [
    {
      title: "The repository is ready",
      description: "Jobs wait until it is imported.",
      href: "/settings",
      isDone: state === "ready",
    },
    {
      title: "Make an API key",
      description: "For your scripts, the middleware and the log import.",
      href: "/keys",
      isDone: hasKey.data,
    },
    {
      title: "Start a first job",
      description: "Say what should change in the docs.",
      href: "/jobs/new",
      isDone: jobs.data && jobs.data.length > 0,
    },
    {
      title: "Merge a pull request",
      description: "Look at what the agent has changed, and take it.",
      href: "/jobs",
      isDone: isMerged.data,
    },
    {
      title: "Count the first visit",
      description: "One line in the docs, and you see who reads them.",
      href: "/readers?view=set-up",
      isDone: sources.data && sources.data.length > 0,
    },
    {
      title: "See AI agents",
      description: "They run no JavaScript: the middleware or logs see them.",
      href: "/readers?view=set-up",
      isDone: sources.data && seesAgents(sources.data),
    },
  ];
}
