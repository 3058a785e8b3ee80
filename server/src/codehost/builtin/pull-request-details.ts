import type { PullRequest } from "../codehost.ts";
import type { Comparison } from "./comparison.ts";

/** A pull request as a list shows it. */
export interface ListedPullRequest extends PullRequest {
  draft: boolean;
  labels: string[];
  createdAt: Date;
  endedAt: Date | null;
}

/** A pull request with what it changes, as its page shows it. */
export interface PullRequestDetails extends ListedPullRequest {
  /** True when it was closed by deleting its branch. */
  branchDeleted: boolean;
  /** Null when the commits are not there any more. */
  comparison: Comparison | null;
  /** For an open one: the files in conflict (none: it can be merged), or why nobody can tell. */
  merge: { conflicts: string[] } | { refused: string } | null;
}
