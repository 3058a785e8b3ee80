import type { Project } from "@docent/sdk";
import { Anchor, Badge, Group, Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { Age } from "../components/age.tsx";
import { docent } from "../docent.ts";
import { CODE_HOST_NAMES } from "./code-hosts.ts";
import classes from "./projects.module.css";

/** A project in the list: where its repository lies, how its import stands, and what was last done. */
export function ProjectCard({ project, withJob }: { project: Project; withJob: boolean }) {
  const { id, name, codeHost, repository, ref, state, importError, createdAt } = project;
  return (
    <li className={`docent-card ${classes.card}`}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Anchor
          component={Link}
          href={`/projects/${id}`}
          className={classes.link}
          fw={650}
          c="inherit"
          dir="auto"
          lineClamp={2}
        >
          {name}
        </Anchor>
        {state === "importing" && (
          <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
            importing
          </Badge>
        )}
        {state === "failed" && (
          <Badge variant="light" color="red" tt="none" style={{ flexShrink: 0 }}>
            import failed
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} className="docent-mono">
        {codeHost === "builtin" ? CODE_HOST_NAMES.builtin : repository.replace(/^https?:\/\//, "")}
        {ref !== "HEAD" && ` · ${ref}`}
      </Text>
      {state === "importing" && <Progress value={100} animated size="xs" aria-label={`Importing ${name}`} />}
      {state === "failed" && (
        <Text size="sm" lineClamp={3} dir="auto">
          {importError}
        </Text>
      )}
      <Text size="sm" c="dimmed" mt="auto" component="div">
        {state === "ready" && withJob ? <NewestJob projectId={id} /> : <>created {<Age at={createdAt} />}</>}
      </Text>
    </li>
  );
}

function NewestJob({ projectId }: { projectId: string }) {
  const newest = useQuery({
    queryKey: ["jobs", projectId, "of the card"],
    queryFn: async ({ signal }) => (await docent.jobs.list(projectId, { limit: 1 }, { signal })).jobs[0] ?? null,
    staleTime: 10_000,
  });
  if (newest.data === undefined) return <>&nbsp;</>;
  if (newest.data === null) return "No job yet";
  const { status, createdAt } = newest.data;
  return (
    <>
      Last job {status === "active" ? "is running, started" : status} <Age at={createdAt} />
    </>
  );
}
