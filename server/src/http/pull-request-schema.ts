import { Type } from "typebox";
import type { ListedPullRequest, PullRequestDetails } from "../codehost/builtin/builtin.ts";
import type { PullRequestComment } from "../jobs/pull-request-comments.ts";
import type { PublishedChecks, PullRequestJob } from "../jobs/pull-request-jobs.ts";
import { changedFileSchema } from "./changed-file-schema.ts";
import { JOB_STATUSES, promptBodySchema } from "./job-schema.ts";
import { checksOf, checkSchema } from "./pull-request-checks.ts";
import { nullable, oneOf, reference, timestamp } from "./schema.ts";

export const PULL_REQUEST_STATES = ["open", "merged", "closed"] as const;

const commitSchema = Type.Object({
  oid: Type.String(),
  title: Type.String(),
  message: Type.String({ description: "The rest of the message; may be empty." }),
  authorName: Type.String(),
  authoredAt: Type.String({ description: "When the change was made. ISO 8601 with the author's offset." }),
});

export const commentSchema = Type.Object(
  {
    id: Type.String(),
    author: Type.String({ description: "Who said it; `Docent` for what Docent itself says." }),
    body: Type.String({ description: "Markdown." }),
    createdAt: timestamp("When it was said."),
  },
  { $id: "PullRequestComment" },
);

const listedProperties = {
  number: Type.Integer(),
  url: Type.String({ description: "The page where a person reads it." }),
  state: oneOf(PULL_REQUEST_STATES),
  draft: Type.Boolean({ description: "Not ready to be merged yet." }),
  labels: Type.Array(Type.String()),
  title: Type.String(),
  headBranch: Type.String(),
  baseBranch: Type.String(),
  createdAt: timestamp("When it was opened."),
  endedAt: nullable(Type.String({ format: "date-time", description: "When it was merged or closed, else null." })),
  job: nullable(
    Type.Object(
      { id: Type.String(), status: oneOf(JOB_STATUSES) },
      { description: "The job that made it; null when there is none." },
    ),
  ),
};

export const listedPullRequestSchema = Type.Object(listedProperties, { $id: "ListedPullRequest" });

export const pullRequestListSchema = Type.Object(
  {
    pulls: Type.Array(reference(listedPullRequestSchema)),
    nextCursor: nullable(Type.String({ description: "The `cursor` of the next page; null on the last." })),
  },
  { $id: "PullRequestList" },
);

/** A pull request on the built-in code host, with what it changes. */
export const pullRequestSchema = Type.Object(
  {
    ...listedProperties,
    body: Type.String({ description: "Markdown." }),
    headCommit: nullable(Type.String()),
    mergeable: nullable(Type.Boolean({ description: "Null unless it is open." })),
    conflicts: Type.Array(Type.String(), { description: "The files that keep it from being merged." }),
    checks: Type.Array(checkSchema),
    comments: Type.Array(reference(commentSchema), { description: "Oldest first." }),
    commits: Type.Array(commitSchema, { description: "Oldest first, the newest 250." }),
    files: Type.Array(reference(changedFileSchema)),
  },
  { $id: "PullRequest", description: "A pull request and what it changes." },
);

export const pullRequestParametersSchema = Type.Object({
  projectId: Type.String({ description: "The project's id." }),
  number: Type.String({ description: "The pull request's number." }),
});

export const pullRequestListQuerySchema = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "Pull requests on a page." }),
  ),
  cursor: Type.Optional(Type.String({ format: "cursor", description: "`nextCursor` of the page before." })),
  state: Type.Optional(oneOf(PULL_REQUEST_STATES)),
});

export const commentBodySchema = Type.Object({
  body: Type.String({
    ...promptBodySchema.properties.prompt,
    description:
      "Markdown. Up to 100,000 characters (Unicode code points), not only white space, without NUL or unpaired surrogates.",
  }),
});

export const commentAnswerSchema = Type.Object(
  {
    comment: reference(commentSchema),
    jobId: nullable(Type.String({ description: "The job that got it as a message; null when none did." })),
    reason: nullable(Type.String({ description: "Why no job got it, in a sentence; null when one did." })),
  },
  { $id: "CommentAnswer", description: "A comment, and whether it became a message to the pull request's job." },
);

/** What is told of a pull request in a list. */
export function toListedJson(listed: ListedPullRequest, job: PullRequestJob | null) {
  const { number, url, state, draft, labels, title, headBranch, baseBranch, createdAt, endedAt } = listed;
  return {
    number,
    url,
    state,
    draft,
    labels,
    title,
    headBranch,
    baseBranch,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    job,
  };
}

/** The pull request as the API answers it. */
export function toPullRequestJson(
  details: PullRequestDetails,
  known: { job: PullRequestJob | null; published: PublishedChecks | null; comments: PullRequestComment[] },
) {
  const { comparison, merge, body } = details;
  const conflicts = merge !== null && "conflicts" in merge ? merge.conflicts : [];
  return {
    ...toListedJson(details, known.job),
    body,
    headCommit: comparison?.to ?? null,
    mergeable: merge === null ? null : "conflicts" in merge && conflicts.length === 0,
    conflicts,
    checks: checksOf(details, known.published),
    comments: known.comments,
    commits: comparison?.commits ?? [],
    files: (comparison?.files ?? []).map((file) => ({
      path: file.path,
      oldPath: file.oldPath,
      status: file.status,
      additions: file.additions,
      deletions: file.deletions,
    })),
  };
}
