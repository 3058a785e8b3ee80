import { sql, type Kysely } from "kysely";
import { CodeHostError, type CodeHost } from "../codehost/codehost.ts";
import type { Schema } from "../database/schema.ts";
import type { JobState } from "./job-state.ts";
import { withoutCommands } from "./slash-commands.ts";
import type { TurnOutcome } from "./turn-end.ts";

/**
 * Tells those who asked for a turn in comments what came of it, below the pull request that they wrote on. A turn that is ended
 * twice answers once. What the code host refuses here costs the job nothing.
 */
export async function answerComments(
  { database, codeHost }: { database: Kysely<Schema>; codeHost: CodeHost },
  { job, project }: Pick<JobState, "job" | "project">,
  outcome: TurnOutcome,
): Promise<void> {
  if (job.pull_request_number === null) return;
  const asked = await loadAsked(database, job.id);
  const last = asked.at(-1);
  if (last === undefined) return;
  const askers = [...new Set(asked.map(({ author }) => `@${author}`))].join(" ");
  const body = withoutCommands(`${askers} ${describe(outcome, job.pull_request_number)}`);
  try {
    await codeHost.comment(project.repository, job.pull_request_number, { body, marker: last.messageId });
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
  }
}

function describe(outcome: TurnOutcome, number: number): string {
  if ("failed" in outcome) return `I could not do this: ${outcome.failed}`;
  if (outcome.completed === null) return "Nothing had to be changed.";
  return outcome.completed.number === number
    ? "Done: the change is on this branch, and described above."
    : `Done in a new pull request: ${outcome.completed.url}`;
}

/** The comments that the turn took up, oldest first. */
async function loadAsked(database: Kysely<Schema>, jobId: string): Promise<{ messageId: string; author: string }[]> {
  const messages = await database
    .selectFrom("job_messages")
    .select(["id", "origin"])
    .where("job_id", "=", jobId)
    .where("origin", "is not", null)
    .where(
      "read_at_position",
      ">",
      sql<number>`coalesce((select max(position) from job_events where job_id = ${jobId} and type = 'turn-end'), 0)`,
    )
    .orderBy("sequence")
    .execute();
  return messages.flatMap(({ id, origin }) => (origin === null ? [] : [{ messageId: id, author: origin.author }]));
}
