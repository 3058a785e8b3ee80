import { sql, type Kysely, type Selectable } from "kysely";
import type { Transcript, TranscriptEntry } from "../agent/transcript.ts";
import type { JobsTable, ProjectsTable, Schema } from "../database/schema.ts";
import type { FileChange, FileMode } from "../workspace/tree.ts";

const TRANSCRIPT_TYPES = ["prompt", "note", "answer", "tool-result", "compaction"] as const;

export interface JobState {
  job: Selectable<JobsTable>;
  project: Selectable<ProjectsTable>;
  transcript: TranscriptEntry[];
}

/** What a worker needs to go on with a job, as it was last persisted. */
export async function loadJobState(database: Kysely<Schema>, jobId: string): Promise<JobState> {
  const job = await database.selectFrom("jobs").selectAll().where("id", "=", jobId).executeTakeFirstOrThrow();
  const [project, events] = await Promise.all([
    database.selectFrom("projects").selectAll().where("id", "=", job.project_id).executeTakeFirstOrThrow(),
    database
      .selectFrom("job_events")
      .select(["type", "data"])
      .where("job_id", "=", jobId)
      .where("type", "in", [...TRANSCRIPT_TYPES])
      .orderBy("position")
      .execute(),
  ]);
  const transcript = events.map((event) => ({ type: event.type, ...event.data }) as TranscriptEntry);
  return { job, project, transcript };
}

/** The files a turn has changed so far: of each path the content stored last. */
export async function loadTurnFiles(database: Kysely<Schema>, jobId: string, turn: number): Promise<FileChange[]> {
  const rows = await database
    .selectFrom("job_files")
    .distinctOn("path")
    .select(["path", "mode", "content"])
    .where("job_id", "=", jobId)
    .where("turn", "=", turn)
    .orderBy("path")
    .orderBy("position", "desc")
    .execute();
  return rows.map((row) => ({ path: row.path, mode: row.mode as FileMode, content: row.content }));
}

/** What users asked for since a turn last ended well, oldest first: what the next publication answers. */
export async function loadUnansweredPrompts(database: Kysely<Schema>, jobId: string): Promise<string[]> {
  const answered = await database
    .selectFrom("job_events")
    .select("position")
    .where("job_id", "=", jobId)
    .where("type", "=", "turn-end")
    .where(sql<boolean>`not data ? 'failed'`)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  const prompts = await database
    .selectFrom("job_events")
    .select(sql<string>`data ->> 'text'`.as("text"))
    .where("job_id", "=", jobId)
    .where("type", "=", "prompt")
    .where("position", ">", answered?.position ?? 0)
    .orderBy("position")
    .execute();
  return prompts.map((prompt) => prompt.text);
}

/** How often Docent has already answered back in this turn. */
export function notesOfTurn(transcript: Transcript): number {
  const start = transcript.findLastIndex((entry) => entry.type === "prompt");
  return transcript.slice(start).filter((entry) => entry.type === "note").length;
}

/** What the job has cost so far, in US dollars; null when a price is not known. */
export async function loadCostUsd(database: Kysely<Schema>, jobId: string): Promise<number | null> {
  const { cost_nano_usd: cost } = await database
    .selectFrom("jobs")
    .select("cost_nano_usd")
    .where("id", "=", jobId)
    .executeTakeFirstOrThrow();
  return cost === null ? null : cost / 1e9;
}
