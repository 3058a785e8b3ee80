import { Type } from "typebox";
import type { PullRequestDetails } from "../codehost/builtin/builtin.ts";
import type { PublishedChecks } from "../jobs/pull-request-jobs.ts";
import { plural } from "../plural.ts";
import { oneOf } from "./schema.ts";

const CHECK_STATES = ["passed", "failed", "unknown"] as const;

export const checkSchema = Type.Object({
  name: Type.String({ description: "`Merge`, while it is open, and `Documentation`." }),
  state: oneOf(CHECK_STATES),
  summary: Type.String({ description: "What was found, in a sentence." }),
  problems: Type.Array(Type.String(), { description: "Each on a line; at most 100." }),
});

interface Check {
  name: string;
  state: (typeof CHECK_STATES)[number];
  summary: string;
  problems: string[];
}

/** What is known of a pull request's state: whether it can be merged, and what the checks found in what a job published. */
export function checksOf(details: PullRequestDetails, published: PublishedChecks | null): Check[] {
  const documentation = documentationCheck(published, details.comparison?.to);
  return details.merge === null ? [documentation] : [mergeCheck(details.merge, details.baseBranch), documentation];
}

function mergeCheck(merge: NonNullable<PullRequestDetails["merge"]>, baseBranch: string): Check {
  if ("refused" in merge) return { name: "Merge", state: "failed", summary: merge.refused, problems: [] };
  const { conflicts } = merge;
  if (conflicts.length === 0) {
    return { name: "Merge", state: "passed", summary: `It merges into ${baseBranch} without conflicts.`, problems: [] };
  }
  const summary = `${plural(conflicts.length, "file")} in conflict with ${baseBranch}.`;
  return { name: "Merge", state: "failed", summary, problems: conflicts.slice(0, 100) };
}

function documentationCheck(published: PublishedChecks | null, head: string | undefined): Check {
  const name = "Documentation";
  if (published === null) {
    return { name, state: "unknown", summary: "Nothing is known of its documentation checks.", problems: [] };
  }
  const { problemsTotal, commit } = published;
  const problems = published.problems.map(({ path, line, message }) => `${path}:${line}: ${message}`);
  const found = problemsTotal === 0 ? "no new problem" : plural(problemsTotal, "new problem");
  if (head !== undefined && head !== commit) {
    const summary = `The checks found ${found} in ${commit.slice(0, 7)}; the branch has changed since.`;
    return { name, state: "unknown", summary, problems };
  }
  return { name, state: problemsTotal === 0 ? "passed" : "failed", summary: `The checks found ${found}.`, problems };
}
