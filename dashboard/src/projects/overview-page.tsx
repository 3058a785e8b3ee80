import { Anchor, Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "wouter";
import { PageHeader } from "../components/page-header.tsx";
import classes from "../overview/overview.module.css";
import { LatestJobs } from "../overview/latest-jobs.tsx";
import { ReadersInShort } from "../overview/readers-in-short.tsx";
import { SetUpSteps } from "../overview/set-up-steps.tsx";
import { useMay } from "../session/session-context.tsx";
import { CODE_HOST_NAMES } from "./code-hosts.ts";
import { useProject } from "./project-context.tsx";

/** A project at a glance: what is left to set up, what the agent does, who reads. */
export default function OverviewPage() {
  const project = useProject();
  const mayCreate = useMay("editor");
  return (
    <>
      <PageHeader
        title={project.name}
        description={<Repository />}
        actions={
          mayCreate && (
            <Button component={Link} href="/jobs/new" leftSection={<IconPlus size={18} aria-hidden />}>
              New job
            </Button>
          )
        }
      />
      <div className={classes.page}>
        <SetUpSteps />
        <LatestJobs />
        <ReadersInShort />
      </div>
    </>
  );
}

function Repository() {
  const { codeHost, repository, ref } = useProject();
  const branch = ref === "HEAD" ? "" : `, branch ${ref}`;
  if (codeHost === "builtin") return <>{`${CODE_HOST_NAMES.builtin}${branch}`}</>;
  return (
    <>
      <Anchor href={repository} target="_blank" rel="noopener noreferrer" inherit>
        {repository.replace(/^https?:\/\//, "")}
      </Anchor>
      {branch}
    </>
  );
}
