import { findIntroducedProblems } from "../workspace/docs/introduced/introduced.ts";
import type { Problem } from "../workspace/docs/problem.ts";
import { reviewChanges } from "../workspace/review.ts";
import type { FileChange } from "../workspace/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { JobState } from "./job-state.ts";

/** How often problems go back to the model before what remains is only listed in the pull request. */
export const REVIEW_ROUNDS_MAX = 3;

/** What a finished turn would publish, looked at without a model. */
export interface Proposal {
  changes: FileChange[];
  /** Rules that the changes break: they must not be published like this. */
  refusals: string[];
  /** Defects of the documentation that the base did not have. */
  introduced: Problem[];
  /** New MDX imports from outside the docs, exports and expressions, by file. */
  mdxCode: { path: string; code: string[] }[];
}

/** Looks at a turn's changes by the rules of publishing, which no instruction and no page can talk it out of. */
export async function prepareProposal(
  { project }: JobState,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Proposal> {
  const changes = await workspace.changes();
  if (changes.length === 0) return { changes, refusals: [], introduced: [], mdxCode: [] };
  const { refusals } = await reviewChanges(workspace);
  const docs = await workspace.docs();
  const mdxCode: Proposal["mdxCode"] = [];
  for (const { path, content } of changes) {
    if (content === null) continue;
    const code = await docs.newCode(path, (await workspace.base.read(path)) ?? null, content, signal);
    if (code.length === 0) continue;
    // The site's build runs what stands in a navigation script, so only literal values may be added to one.
    if (!/\.mdx?$/i.test(path)) refusals.push(`${path}: only literal values may be added here, not ${code.join(", ")}`);
    else if (project.settings.newMdxCode !== "refuse") mdxCode.push({ path, code });
    else refusals.push(`${path}: new code in MDX is not allowed here: ${code.join(", ")}`);
  }
  const { docsPath } = workspace.rules;
  const introduced = await findIntroducedProblems({ before: workspace.base, after: workspace, docsPath, signal });
  return { changes, refusals, introduced, mdxCode };
}

/** What Docent answers to the model about a proposal; null when there is nothing to say. */
export function describeFaults({ refusals, introduced }: Proposal): string | null {
  if (refusals.length === 0 && introduced.length === 0) return null;
  const lines = [
    ...refusals.map((refusal) => `- ${refusal}`),
    ...introduced.slice(0, 30).map(({ path, line, message }) => `- ${path}:${line}: ${message}`),
  ];
  const rest = introduced.length > 30 ? `\n…and ${introduced.length - 30} more; run check_docs.` : "";
  return `Before publishing, these problems of your changes were found. Mend them, then finish again:\n${lines.join("\n")}${rest}`;
}
