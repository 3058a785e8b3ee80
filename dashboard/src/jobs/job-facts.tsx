import type { Job } from "@docent/sdk";
import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Age } from "../components/age.tsx";
import { useProject } from "../projects/project-context.tsx";
import { AuthorName } from "./author.tsx";
import { JobStatus } from "./job-status.tsx";
import classes from "./jobs.module.css";
import { PullRequestLink, PullRequestState } from "./pull-request-link.tsx";

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en");

/** What there is to know about a job beside what it is about. */
export function JobFacts({ job }: { job: Job }) {
  const { steps, inputTokens, outputTokens } = job.usage;
  const tokens = inputTokens + outputTokens;
  return (
    <div className={classes.facts}>
      <JobStatus job={job} />
      <span>
        <AuthorName author={job.author} />, <Age at={job.createdAt} />
      </span>
      {job.pullRequest !== null && (
        <Fact name="Pull request">
          <PullRequestLink {...job.pullRequest}>#{job.pullRequest.number}</PullRequestLink>{" "}
          <PullRequestState state={job.pullRequest.state} />
        </Fact>
      )}
      <Fact name="From">
        <Source job={job} />
      </Fact>
      <Fact name="Model">
        <span className="docent-mono">{job.model}</span>
      </Fact>
      {steps > 0 && (
        <Fact name="Used">
          <span title={`${whole.format(inputTokens)} tokens read, ${whole.format(outputTokens)} written`}>
            {whole.format(steps)} {steps === 1 ? "step" : "steps"}
            {tokens > 0 && `, ${compact.format(tokens)} tokens`}
            {describeCost(job.usage.costUsd)}
          </span>
        </Fact>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span>
      {name}: <span style={{ color: "var(--mantine-color-text)" }}>{children}</span>
    </span>
  );
}

function Source({ job: { source, branch } }: { job: Job }) {
  const { codeHost } = useProject();
  const ref = <span className="docent-mono">{source.ref}</span>;
  return (
    <>
      {/* What the built-in code host keeps has no page of its own. */}
      {codeHost === "builtin" ? (
        ref
      ) : (
        <>
          <Anchor href={source.repository} target="_blank" rel="noopener noreferrer" inherit underline="always">
            {source.repository.replace(/^https?:\/\//, "")}
          </Anchor>{" "}
          {ref}
        </>
      )}
      {branch !== null && (
        <>
          {" → "}
          <span className="docent-mono">{branch}</span>
        </>
      )}
    </>
  );
}

/** Nothing when the price is not known, or when there is none. */
function describeCost(costUsd: number | null): string {
  if (costUsd === null || costUsd === 0) return "";
  return costUsd < 0.01 ? ", below $0.01" : `, $${costUsd.toFixed(2)}`;
}
