import type { Kysely } from "kysely";
import { CHANGES_DISCARDED_NOTE } from "../agent/agent.ts";
import type { TranscriptEntry } from "../agent/transcript.ts";
import { CodeHostError, type CodeHost, type PullRequest } from "../codehost/codehost.ts";
import type { Schema } from "../database/schema.ts";
import type { Mirror } from "../workspace/mirror.ts";
import { loadTurnFiles, type JobState } from "./job-state.ts";
import { takeUnread, type Prompt } from "./messages.ts";
import { appendEvents, updateHeldJob, type Hold } from "./record.ts";

export interface Turn {
  number: number;
  /** Also the author date of the commit, which makes it the same commit whoever makes it. */
  startedAt: Date;
  baseCommit: string;
  branch: string;
}

type Note = Extract<TranscriptEntry, { type: "note" }>;

interface Dependencies {
  database: Kysely<Schema>;
  codeHost: CodeHost;
  clock: () => Date;
}

/** The turn that a job is in the middle of, as persisted; null between turns. */
export function turnInProgress({ job }: JobState): Turn | null {
  if (job.turn_started_at === null || job.turn_base_commit === null || job.turn_branch === null) return null;
  return {
    number: job.turn,
    startedAt: job.turn_started_at,
    baseCommit: job.turn_base_commit,
    branch: job.turn_branch,
  };
}

/**
 * Begins a turn: takes all unread messages into the transcript and fixes where the work starts, in one transaction.
 * A follow-up goes on from the branch as it is now, with what people pushed to it; once its pull request was merged or
 * closed, or the branch is gone, it starts afresh from the project's branch. So it does when the branch was pushed and no
 * pull request could be opened: on top of it the work would seem done, and nobody would ever be asked to merge it.
 * @returns null when no message is unread.
 */
export async function startTurn(
  { database, codeHost, clock }: Dependencies,
  hold: Hold,
  state: JobState,
  mirror: Mirror,
): Promise<{ turn: Turn; entries: (Prompt | Note)[] } | null> {
  const number = state.job.turn + 1;
  // A job that was created while its repository was still being imported learns its branch now.
  if (state.job.ref === "HEAD") state.job.ref = state.project.ref;
  const place = (await openBranch(codeHost, state, mirror)) ?? (await freshBranch(state, mirror, number));
  const { branchTurn, ...where } = place;
  const turn: Turn = { number, startedAt: clock(), ...where };
  const note = await noteOfLostChanges(database, state);
  const prompts = await database.transaction().execute(async (transaction) => {
    await updateHeldJob(transaction, hold, {
      turn: turn.number,
      turn_started_at: turn.startedAt,
      turn_base_commit: turn.baseCommit,
      turn_branch: turn.branch,
      branch_turn: branchTurn,
      ref: state.job.ref,
      pickups: 0,
      waits: 0,
      last_error: null,
    });
    if (note !== null) await appendEvents(transaction, hold.jobId, [{ type: "note", data: note }]);
    return takeUnread(transaction, hold.jobId);
  });
  if (prompts.length === 0) return null;
  return { turn, entries: note === null ? prompts : [note, ...prompts] };
}

/** A failed turn publishes nothing, so the model must hear that the edits it remembers are gone. */
async function noteOfLostChanges(database: Kysely<Schema>, { job }: JobState): Promise<Note | null> {
  const end = await database
    .selectFrom("job_events")
    .select("data")
    .where("job_id", "=", job.id)
    .where("type", "=", "turn-end")
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  if (end === undefined || !("failed" in end.data)) return null;
  const lost = await loadTurnFiles(database, job.id, job.turn);
  if (lost.length === 0) return null;
  return { type: "note", text: CHANGES_DISCARDED_NOTE };
}

/** `branchTurn`: the first turn there; null when nobody knows. */
type Place = Pick<Turn, "branch" | "baseCommit"> & { branchTurn: number | null };

async function openBranch(codeHost: CodeHost, { job, project }: JobState, mirror: Mirror): Promise<Place | undefined> {
  if (job.branch === null) return undefined;
  const pullRequest =
    (await codeHost.findPullRequest(project.repository, job.branch)) ??
    (await knownFrom(job.branch, codeHost, { job, project }));
  if (pullRequest?.state !== "open") return undefined;
  const baseCommit = await mirror.fetchBranch(job.branch);
  if (baseCommit === undefined) return undefined;
  // It may be back at the branch of a pull request that was opened again.
  return { branch: job.branch, baseCommit, branchTurn: job.branch === job.turn_branch ? job.branch_turn : null };
}

/** Lists lag behind what was just opened. */
async function knownFrom(
  branch: string,
  codeHost: CodeHost,
  { job, project }: Pick<JobState, "job" | "project">,
): Promise<PullRequest | undefined> {
  if (job.pull_request_number === null) return undefined;
  const known = await codeHost.getPullRequest(project.repository, job.pull_request_number);
  return known?.headBranch === branch ? known : undefined;
}

async function freshBranch({ job }: JobState, mirror: Mirror, turn: number): Promise<Place> {
  const baseCommit = await mirror.fetchBranch(job.ref);
  if (baseCommit === undefined) {
    throw new CodeHostError(
      "not_found",
      `The repository has no branch "${job.ref}"; push one or change the project's branch.`,
    );
  }
  return { branch: turn === 1 ? `docent/${job.id}` : `docent/${job.id}-${turn}`, baseCommit, branchTurn: turn };
}
