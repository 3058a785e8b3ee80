import { sql, type Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";

/** A point in a log: how many of its uncompressed bytes are before it, and their SHA-256, 32 bytes. */
export interface LogPoint {
  bytes: number;
  sha256: Buffer;
}

/** How far one run of an import came. */
export interface ImportProgress extends LogPoint {
  id: string;
  createdAt: Date;
  updatedAt: Date;
}

/** One step of a run, from the point where it is to a later one. */
export interface ImportStep {
  projectId: string;
  /** The run, named by who runs it. */
  importId: string;
  /** SHA-256 of the log's first line. */
  firstLine: Buffer;
  from: LogPoint;
  to: LogPoint;
  /** Runs further on than `from` whose bytes were compared: they are of other logs with the same first line. */
  others: readonly string[];
}

/**
 * `next`: nothing of the step is imported, all before it is. `repeated`: this run has done the step already. `moved`: somebody
 * else's run has come further in what may be the same log; whoever asks has to look again where it stands.
 */
export type StepState = "next" | "repeated" | "moved";

/** The runs of all logs with this first line, the furthest first. */
export async function findProgress(
  database: Kysely<Schema>,
  projectId: string,
  firstLine: Buffer,
): Promise<ImportProgress[]> {
  const rows = await database
    .selectFrom("analytics_imports")
    .select(["id", "bytes", "sha256", "created_at", "updated_at"])
    .where("project_id", "=", projectId)
    .where("first_line", "=", firstLine)
    .orderBy("bytes", "desc")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id.slice(row.id.lastIndexOf(" ") + 1),
    bytes: row.bytes,
    sha256: row.sha256,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

/**
 * Where a step stands. A prefix that two runs share has the same bytes and hash in both, so it is enough to know each run's furthest
 * point: no other run may be past `from`, unless its log is known to be another one, and somebody must have come to `from`.
 */
export async function readStepState(database: Kysely<Schema>, step: ImportStep): Promise<StepState> {
  const runs = await findProgress(database, step.projectId, step.firstLine);
  const own = runs.find((run) => run.id === step.importId);
  if (own !== undefined && own.bytes >= step.to.bytes) return "repeated";
  const others = new Set(step.others);
  const isPassed = runs.some((run) => run.bytes > step.from.bytes && run.id !== step.importId && !others.has(run.id));
  if (isPassed) return "moved";
  const isReached =
    own === undefined
      ? step.from.bytes === 0 || runs.some((run) => isSamePoint(run, step.from))
      : isSamePoint(own, step.from);
  return isReached ? "next" : "moved";
}

/**
 * Takes a step, if it is the next one, in the caller's transaction; others that want to move in a log with this first line wait for
 * the transaction's end.
 */
export async function takeStep(transaction: Kysely<Schema>, step: ImportStep): Promise<StepState> {
  const lock = `import ${step.projectId} ${step.firstLine.toString("hex")}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(transaction);
  const state = await readStepState(transaction, step);
  if (state !== "next") return state;
  await transaction
    .insertInto("analytics_imports")
    .values({
      id: rowId(step),
      project_id: step.projectId,
      first_line: step.firstLine,
      bytes: step.to.bytes,
      sha256: step.to.sha256,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ bytes: step.to.bytes, sha256: step.to.sha256, updated_at: sql`now()` }),
    )
    .execute();
  return "next";
}

/** A run's name is its client's choice, so it means something for its own log and project alone. */
function rowId({ projectId, firstLine, importId }: ImportStep): string {
  return `${projectId} ${firstLine.toString("hex")} ${importId}`;
}

function isSamePoint(a: LogPoint, b: LogPoint): boolean {
  return a.bytes === b.bytes && a.sha256.equals(b.sha256);
}
