import { sql, type Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import { readFileAt, type FileAtCommit } from "../../workspace/file-at-commit.ts";
import type { Mirror } from "../../workspace/mirror.ts";
import type { Hold } from "../record.ts";
import type { Turn } from "../turn-start.ts";

/** What is held in memory at a time of the files of a large change. */
const BATCH_BYTES_MAX = 4 * 1024 * 1024;
const BATCH_FILES_MAX = 500;

/** A file before a turn's first change. */
interface BaseFile {
  path: string;
  /** Undefined: there was none. */
  file: FileAtCommit | undefined;
}

/** The paths that a turn has stored already. */
export async function loadBasePaths(database: Kysely<Schema>, jobId: string, turn: number): Promise<Set<string>> {
  const rows = await database
    .selectFrom("job_base_files")
    .select("path")
    .where("job_id", "=", jobId)
    .where("turn", "=", turn)
    .execute();
  return new Set(rows.map((row) => row.path));
}

/**
 * Stores files as they were before a turn changes them for the first time, so that its changes can be shown where its
 * repository is not. Call it before the changes are stored: files without a change are never looked at. Stores nothing
 * when the job is no longer held.
 * @param known the paths that are stored already; grows by these
 */
export async function recordBaseFiles(
  database: Kysely<Schema>,
  hold: Hold,
  { turn, mirror, paths, known }: { turn: Turn; mirror: Mirror; paths: readonly string[]; known: Set<string> },
): Promise<void> {
  const fresh = paths.filter((path) => !known.has(path));
  for await (const batch of batchesOf(filesAt(mirror, turn.baseCommit, fresh))) {
    await sql`
      insert into job_base_files (job_id, turn, path, mode, content)
      select jobs.id, ${turn.number}, b.path, b.mode, b.content
      from jobs, ${rowsOf(batch)} as b (path, mode, content)
      where jobs.id = ${hold.jobId} and jobs.generation = ${hold.generation} and jobs.status = 'active'
      on conflict do nothing`.execute(database);
  }
  for (const path of fresh) known.add(path);
}

/** Stores them anew, as another commit has them, in a transaction that has moved the turn there. */
export async function replaceBaseFiles(
  transaction: Kysely<Schema>,
  hold: Hold,
  turnNumber: number,
  files: readonly BaseFile[],
): Promise<void> {
  await transaction
    .deleteFrom("job_base_files")
    .where("job_id", "=", hold.jobId)
    .where("turn", "=", turnNumber)
    .execute();
  for await (const batch of batchesOf(files)) {
    await sql`
      insert into job_base_files (job_id, turn, path, mode, content)
      select ${hold.jobId}, ${turnNumber}, b.path, b.mode, b.content
      from ${rowsOf(batch)} as b (path, mode, content)`.execute(transaction);
  }
}

/** Files as a commit has them. */
export async function readBaseFiles(mirror: Mirror, commit: string, paths: readonly string[]): Promise<BaseFile[]> {
  const files: BaseFile[] = [];
  for await (const file of filesAt(mirror, commit, paths)) files.push(file);
  return files;
}

async function* filesAt(mirror: Mirror, commit: string, paths: readonly string[]): AsyncGenerator<BaseFile> {
  for (const path of paths) yield { path, file: await readFileAt(mirror, commit, path) };
}

function rowsOf(files: readonly BaseFile[]) {
  return sql`unnest(
    ${files.map(({ path }) => path)}::text[],
    ${files.map(({ file }) => file?.mode ?? null)}::text[],
    ${files.map(({ file }) => toBuffer(file?.content))}::bytea[]
  )`;
}

function toBuffer(content: Uint8Array | null | undefined): Buffer | null {
  return content === null || content === undefined ? null : Buffer.from(content);
}

async function* batchesOf(files: Iterable<BaseFile> | AsyncIterable<BaseFile>): AsyncGenerator<BaseFile[]> {
  let batch: BaseFile[] = [];
  let bytes = 0;
  for await (const each of files) {
    batch.push(each);
    bytes += each.file?.content?.length ?? 0;
    if (bytes < BATCH_BYTES_MAX && batch.length < BATCH_FILES_MAX) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
