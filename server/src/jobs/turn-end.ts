import { sql, type Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";
import { hasUnread, takeUnread } from "./messages.ts";
import { appendEvents, LostJobError, type Hold } from "./record.ts";

export interface PublishedPullRequest {
  branch: string;
  number: number;
  url: string;
  state: "open" | "merged" | "closed";
}

/** `completed`: with the pull request it made or changed, null when no file changed. */
export type TurnOutcome = { completed: PublishedPullRequest | null } | { failed: string };

/**
 * Ends a turn in one transaction. A message that arrived meanwhile keeps the job active: no turn ends, well or badly,
 * with a message unread. A failure before the turn began (no such branch, a token that has expired) reads the messages
 * and ends the job. The link is recorded even on a job archived meanwhile.
 * @returns whether the job rests now; false: an unread message wants another turn.
 * @throws LostJobError when another worker has it.
 */
export async function endTurn(database: Kysely<Schema>, hold: Hold, outcome: TurnOutcome): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const job = await transaction
      .selectFrom("jobs")
      .select(["status", "pull_request_url", "turn_started_at"])
      .where("id", "=", hold.jobId)
      .where("generation", "=", hold.generation)
      .forUpdate()
      .executeTakeFirst();
    if (job === undefined) throw new LostJobError(hold.jobId);
    const pullRequest = "completed" in outcome ? outcome.completed : null;
    const link = pullRequest && {
      branch: pullRequest.branch,
      pull_request_number: pullRequest.number,
      pull_request_url: pullRequest.url,
      pull_request_state: pullRequest.state,
    };
    const rest = { publish: null, turn_started_at: null, lease_expires_at: null, worker: null, pickups: 0, waits: 0 };
    if (job.status !== "active") {
      await transaction
        .updateTable("jobs")
        .set({ ...rest, ...link })
        .where("id", "=", hold.jobId)
        .execute();
      return true;
    }
    const isDiscarded = "failed" in outcome && job.turn_started_at !== null;
    const turns = isDiscarded ? { discarded_turns: sql<number[]>`array_append(discarded_turns, turn)` } : {};
    const prLink = pullRequest?.url ?? job.pull_request_url;
    // What failed before a turn could begin failed for the messages that wanted it: left unread, they would want it for ever.
    if ("failed" in outcome && job.turn_started_at === null) await takeUnread(transaction, hold.jobId);
    if (await hasUnread(transaction, hold.jobId)) {
      await transaction
        .updateTable("jobs")
        .set({ publish: null, turn_started_at: null, pickups: 0, waits: 0, ...link, ...turns })
        .where("id", "=", hold.jobId)
        .execute();
      await appendEvents(transaction, hold.jobId, [{ type: "turn-end", data: { ...outcome, prLink } }]);
      return false;
    }
    const status = "completed" in outcome ? "completed" : "failed";
    const failureReason = "failed" in outcome ? outcome.failed : null;
    await transaction
      .updateTable("jobs")
      .set({ ...rest, ...link, ...turns, status, failure_reason: failureReason })
      .where("id", "=", hold.jobId)
      .execute();
    await appendEvents(transaction, hold.jobId, [
      { type: "turn-end", data: { ...outcome, prLink } },
      { type: "status", data: { status, prLink, failureReason } },
    ]);
    await sql`select pg_notify('jobs_ready', '')`.execute(transaction);
    return true;
  });
}
