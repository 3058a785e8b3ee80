import { sql, type Kysely, type Selectable } from "kysely";
import type { JobsTable, Schema } from "../../database/schema.ts";
import type { FileSides } from "./scratch-repository.ts";

/** Files that are compared; more are only known to be there. */
const FILES_MAX = 10_000;
const BATCH_FILES = 64;

/** Where the two sides of a changed file are stored. */
export interface StoredChange {
  path: string;
  /** Of the row that was stored last. */
  turn: number;
  position: number;
  /** Of the row with the file as it was before. */
  base_turn: number;
}

export interface StoredChanges {
  files: StoredChange[];
  /** Whether these are all of them. */
  complete: boolean;
}

/**
 * Finds what a job has changed on its branch: each path with its first and its last state there, sorted by path. Turns that
 * failed count only while no other has changed anything.
 */
export async function findStoredChanges(database: Kysely<Schema>, job: Selectable<JobsTable>): Promise<StoredChanges> {
  const first = job.branch_turn ?? job.turn;
  const turns: number[] = [];
  for (let turn = first; turn <= job.turn; turn += 1) if (!job.discarded_turns.includes(turn)) turns.push(turn);
  const kept = await readKeys(database, job.id, turns);
  const files = kept.length > 0 || turns.includes(job.turn) ? kept : await readKeys(database, job.id, [job.turn]);
  const complete = (job.turn === 0 || job.branch_turn !== null) && files.length <= FILES_MAX;
  return { files: files.slice(0, FILES_MAX), complete };
}

async function readKeys(database: Kysely<Schema>, jobId: string, turns: readonly number[]): Promise<StoredChange[]> {
  if (turns.length === 0) return [];
  // Grouped rather than joined: of what was just written the planner knows nothing, and it would loop through both.
  const result = await sql<{ path: string; last: [number, number]; base_turn: number }>`
    select path, max(place) as last, min(base_turn) as base_turn
    from (
      select path, array[turn, position] as place, null as base_turn from job_files
      where job_id = ${jobId} and turn = any(${[...turns]}::integer[])
      union all
      select path, null, turn from job_base_files
      where job_id = ${jobId} and turn = any(${[...turns]}::integer[])
    ) as stored
    group by path
    having max(place) is not null and min(base_turn) is not null
    order by path collate "C"
    limit ${FILES_MAX + 1}`.execute(database);
  return result.rows.map(({ path, last: [turn, position], base_turn }) => ({ path, turn, position, base_turn }));
}

/** Both sides of each file that differs, read a few at a time. */
export async function* readSides(
  database: Kysely<Schema>,
  jobId: string,
  files: readonly StoredChange[],
): AsyncGenerator<FileSides> {
  for (let start = 0; start < files.length; start += BATCH_FILES) {
    const batch = files.slice(start, start + BATCH_FILES);
    const { rows } = await sql<SidesRow>`
      select k.path, after.mode, after.content, before.mode as base_mode, before.content as base_content
      from unnest(
        ${batch.map((file) => file.path)}::text[],
        ${batch.map((file) => file.turn)}::integer[],
        ${batch.map((file) => file.position)}::integer[],
        ${batch.map((file) => file.base_turn)}::integer[]
      ) as k (path, turn, position, base_turn)
      cross join lateral (
        select mode, content from job_files
        where job_id = ${jobId} and turn = k.turn and position = k.position and path = k.path limit 1
      ) as after
      cross join lateral (
        select mode, content from job_base_files
        where job_id = ${jobId} and turn = k.base_turn and path = k.path limit 1
      ) as before
      where after.content is distinct from before.content
        or (after.content is not null and after.mode is distinct from before.mode)
        or (after.content is null and before.mode is not null)`.execute(database);
    for (const row of rows) {
      yield {
        path: row.path,
        before: row.base_mode === null ? null : { mode: row.base_mode, content: row.base_content },
        after: row.content === null ? null : { mode: row.mode, content: row.content },
      };
    }
  }
}

interface SidesRow {
  path: string;
  mode: string;
  content: Buffer | null;
  base_mode: string | null;
  base_content: Buffer | null;
}
