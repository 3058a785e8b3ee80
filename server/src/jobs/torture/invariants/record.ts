import type { Selectable } from "kysely";
import type { TranscriptEntry } from "../../../agent/transcript.ts";
import type { BuiltinPullRequestsTable, JobMessagesTable, JobsTable } from "../../../database/schema.ts";
import { loadJobState } from "../../job-state.ts";
import type { Scene } from "../stage.ts";

interface StoredEvent {
  position: number;
  type: string;
  data: Readonly<Record<string, unknown>>;
}

/** Everything that is stored of a job. */
export interface JobRecord {
  job: Selectable<JobsTable>;
  messages: Selectable<JobMessagesTable>[];
  events: StoredEvent[];
  transcript: readonly TranscriptEntry[];
  turns: RecordedTurn[];
  /** Of its branches, oldest first. */
  pullRequests: Selectable<BuiltinPullRequestsTable>[];
}

/** What one turn took and how it ended. */
export interface RecordedTurn {
  prompts: string[];
  /** Undefined: it did not end, because the job was archived. */
  outcome: "published" | "nothing" | "failed" | undefined;
}

export async function readRecord({ database, projectId }: Scene, jobId: string): Promise<JobRecord> {
  const { job, transcript } = await loadJobState(database, jobId);
  const [messages, events, pullRequests] = await Promise.all([
    database.selectFrom("job_messages").selectAll().where("job_id", "=", jobId).orderBy("sequence").execute(),
    database
      .selectFrom("job_events")
      .select(["position", "type", "data"])
      .where("job_id", "=", jobId)
      .orderBy("position")
      .execute(),
    database
      .selectFrom("builtin_pull_requests")
      .selectAll()
      .where("repository", "=", projectId)
      .where("head_branch", "like", `docent/${jobId}%`)
      .orderBy("number")
      .execute(),
  ]);
  const stored = events as StoredEvent[];
  return { job, messages, events: stored, transcript, turns: readTurns(stored), pullRequests };
}

function readTurns(events: readonly StoredEvent[]): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  let open: RecordedTurn | undefined;
  for (const { type, data } of events) {
    if (type === "prompt") {
      if (open === undefined) turns.push((open = { prompts: [], outcome: undefined }));
      open.prompts.push(String(data["text"]));
    } else if (type === "turn-end") {
      if (open === undefined) turns.push((open = { prompts: [], outcome: undefined }));
      open.outcome = "failed" in data ? "failed" : data["completed"] === null ? "nothing" : "published";
      open = undefined;
    }
  }
  return turns;
}
