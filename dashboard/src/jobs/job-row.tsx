import type { Job } from "@docent/sdk";
import { memo } from "react";
import { Link } from "wouter";
import { Age } from "../components/age.tsx";
import { AuthorName } from "./author.tsx";
import { JobStatus } from "./job-status.tsx";
import classes from "./jobs.module.css";
import { PullRequestLink, PullRequestState } from "./pull-request-link.tsx";

/** A job in a list: what it is about, how it stands, whose it is. */
export const JobRow = memo(function JobRow({ job }: { job: Job }) {
  return (
    <div className={classes.job}>
      <div className={classes.jobStatus}>
        <JobStatus job={job} />
      </div>
      <div className={classes.jobText}>
        <Link href={`/jobs/${job.id}`} className={classes.jobTitle} dir="auto">
          {job.title}
        </Link>
        <div className={classes.jobFacts}>
          <span className={classes.jobAuthor}>
            <AuthorName author={job.author} />
          </span>
          <Age at={job.createdAt} />
        </div>
      </div>
      {job.pullRequest !== null && (
        <div className={classes.jobPull}>
          <PullRequestLink {...job.pullRequest}>
            <span className={classes.hidden}>Pull request </span>#{job.pullRequest.number}
          </PullRequestLink>
          <PullRequestState state={job.pullRequest.state} />
        </div>
      )}
    </div>
  );
});
