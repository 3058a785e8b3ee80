import type { CommitContent } from "../workspace/commit.ts";
import type { PublishIntent } from "../database/schema.ts";
import type { Mirror } from "../workspace/mirror.ts";
import type { FileChange } from "../workspace/tree.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { DOCENT, readCommitStyle } from "./commit-style.ts";
import { carryOver } from "./carry-over.ts";
import type { JobRun } from "./job-run.ts";
import { loadCostUsd, loadUnansweredPrompts, notesOfTurn } from "./job-state.ts";
import { describeFaults, prepareProposal, REVIEW_ROUNDS_MAX } from "./proposal.ts";
import { carryOut, recordIntent } from "./publish.ts";
import { commitMessage, pullRequestText } from "./pull-request-text.ts";
import type { PublishedPullRequest, TurnOutcome } from "./turn-end.ts";
import type { Turn } from "./turn-start.ts";

type Carried = Awaited<ReturnType<typeof carryOver>>;

/**
 * Publishes what a finished turn changed: by rule, with no model in it. Problems of the changes go back to the model a
 * few times (`note`); a branch that somebody pushed to meanwhile becomes the new base (`carried`).
 */
export async function publishTurn(
  { dependencies, hold, state, mirror, signal }: JobRun,
  turn: Turn,
  workspace: Workspace,
  finish: { title: string; summary: string },
): Promise<TurnOutcome | { note: string } | { carried: Carried }> {
  const { database, codeHost } = dependencies;
  const { job, project, transcript } = state;
  const proposal = await prepareProposal(state, workspace, signal);
  if (proposal.changes.length === 0) return { completed: null };

  const faults = describeFaults(proposal);
  if (faults !== null && notesOfTurn(transcript) < REVIEW_ROUNDS_MAX) return { note: faults };
  if (proposal.refusals.length > 0) {
    return { failed: `The changes may not be published: ${proposal.refusals.join(" ")}` };
  }

  const continues = job.branch === turn.branch;
  const existing = continues ? await codeHost.findPullRequest(project.repository, turn.branch) : undefined;
  const style = await readCommitStyle(dependencies.credentials, project);
  if ("refused" in style) return { failed: style.refused };
  const message = commitMessage(finish.title, finish.summary, job.id, style);
  const { commit, signature } = await makeCommit(mirror, turn, proposal.changes, { ...style, message });
  const text = pullRequestText({
    ...finish,
    prompts: await loadUnansweredPrompts(database, job.id),
    proposal,
    model: job.model,
    costUsd: await loadCostUsd(database, job.id),
    jobId: job.id,
    commit,
    existing: existing?.state === "open" ? existing : null,
  });
  const intent: PublishIntent = {
    branch: turn.branch,
    commit,
    message,
    author: style.author,
    ...(signature === undefined ? {} : { signature }),
    expected: continues ? turn.baseCommit : null,
    ...text,
  };
  signal.throwIfAborted();
  await recordIntent(database, hold, intent, proposal.introduced);
  const published = await carryOut(dependencies, hold, state, mirror, intent);
  if (published !== "moved") return { completed: published };

  const head = await mirror.fetchBranch(turn.branch);
  if (!continues || head === undefined) {
    const reason = continues ? "was deleted while the job worked on it" : "exists already and is not this job's";
    return { failed: `The branch ${turn.branch} of the repository ${reason}; send the instruction again.` };
  }
  return { carried: await carryOver(database, hold, turn, mirror, head, proposal.changes) };
}

/**
 * Goes on with a publication that was begun before this worker had the job.
 * @returns `moved` when the branch is somewhere else by now.
 */
export async function resumePublication(
  { dependencies, hold, state, mirror }: JobRun,
  turn: Turn,
  workspace: Workspace,
  intent: PublishIntent,
): Promise<PublishedPullRequest | "moved"> {
  // The commit may lie only on the machine of the worker that made it. Made again, it is the same one.
  const { message, author = DOCENT, signature } = intent;
  const sign = signature === undefined ? {} : { sign: () => signature };
  await makeCommit(mirror, turn, await workspace.changes(), { message, author, ...sign });
  return carryOut(dependencies, hold, state, mirror, intent);
}

/** `signature`: as it stands in the commit, when it is signed. */
async function makeCommit(
  mirror: Mirror,
  turn: Turn,
  changes: FileChange[],
  { message, author, sign }: Pick<CommitContent, "message" | "author" | "sign">,
): Promise<{ commit: string; signature?: string }> {
  let signature: string | undefined;
  const commit = await mirror.commit({
    parent: turn.baseCommit,
    changes,
    message,
    author,
    date: turn.startedAt,
    ...(sign === undefined ? {} : { sign: (payload: Buffer) => (signature = sign(payload)) }),
  });
  return signature === undefined ? { commit } : { commit, signature };
}
