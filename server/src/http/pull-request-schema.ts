import { Type } from "typebox";
import type { PullRequestDetails } from "../codehost/builtin/builtin.ts";
import { nullable, oneOf, timestamp } from "./schema.ts";

const commitSchema = Type.Object({
  oid: Type.String(),
  title: Type.String(),
  message: Type.String({ description: "The rest of the message; may be empty." }),
  authorName: Type.String(),
  authoredAt: Type.String({ description: "When the change was made. ISO 8601 with the author's offset." }),
});

const fileSchema = Type.Object({
  path: Type.String(),
  oldPath: nullable(Type.String({ description: "Where it was before; null unless it was moved." })),
  status: oneOf(["added", "deleted", "modified", "renamed", "type-changed"]),
  additions: nullable(Type.Integer({ description: "Added lines; null for a binary file." })),
  deletions: nullable(Type.Integer({ description: "Removed lines; null for a binary file." })),
});

/** A pull request on the built-in code host, with what it changes. */
export const pullRequestSchema = Type.Object(
  {
    number: Type.Integer(),
    url: Type.String({ description: "The page where a person reads it." }),
    state: oneOf(["open", "merged", "closed"]),
    title: Type.String(),
    body: Type.String({ description: "Markdown." }),
    headBranch: Type.String(),
    baseBranch: Type.String(),
    headCommit: nullable(Type.String()),
    createdAt: timestamp("When it was opened."),
    endedAt: nullable(Type.String({ format: "date-time", description: "When it was merged or closed, else null." })),
    mergeable: nullable(Type.Boolean({ description: "Null unless it is open." })),
    conflicts: Type.Array(Type.String(), { description: "The files that keep it from being merged." }),
    commits: Type.Array(commitSchema, { description: "Oldest first, the newest 250." }),
    files: Type.Array(fileSchema),
  },
  { $id: "PullRequest", description: "A pull request and what it changes." },
);

/** The pull request as the API answers it. */
export function toPullRequestJson(details: PullRequestDetails) {
  const { comparison, merge, createdAt, endedAt } = details;
  const { number, url, state, title, body, headBranch, baseBranch } = details;
  const conflicts = merge !== null && "conflicts" in merge ? merge.conflicts : [];
  return {
    number,
    url,
    state,
    title,
    body,
    headBranch,
    baseBranch,
    headCommit: comparison?.to ?? null,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    mergeable: merge === null ? null : "conflicts" in merge && conflicts.length === 0,
    conflicts,
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
