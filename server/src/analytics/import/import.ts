import type { Kysely, Transaction } from "kysely";
import type { Schema } from "../../database/schema.ts";
import type { Visits } from "../store/visits.ts";
import type { LogChunk } from "./chunk.ts";
import { findProgress, readStepState, takeStep, type ImportProgress, type ImportStep } from "./progress.ts";
import type { PreparedChunk, PrepareChunk, Rejection } from "./prepare.ts";

export interface StoredChunk {
  /** How far the log is imported now, at least. */
  bytes: number;
  /** Views of this chunk that are stored, now or by the request that this one repeats. */
  accepted: number;
  rejected: readonly Rejection[];
  repeated: boolean;
}

export interface LogImports {
  /** How far logs with this first line, given by its SHA-256, are imported; the furthest first. */
  find(projectId: string, firstLine: Buffer): Promise<ImportProgress[]>;
  /**
   * Stores a chunk's views and moves the import, both or neither. May be repeated.
   * @returns `moved` when another import has come further in what may be the same log, or the import is not where the chunk begins.
   * @throws VisitsBusyError when too much waits to be stored.
   */
  store(chunk: LogChunk): Promise<StoredChunk | { refused: "moved" }>;
}

export function createLogImports({
  database,
  visits,
  prepareChunk,
}: {
  database: Kysely<Schema>;
  visits: Visits;
  prepareChunk: PrepareChunk;
}): LogImports {
  async function take(prepared: PreparedChunk, step: ImportStep): Promise<"next" | "repeated" | "moved"> {
    const { projectId } = step;
    try {
      await visits.add({ projectId, views: prepared.views }, (transaction) => takeOrThrow(transaction, step));
    } catch (error) {
      if (error instanceof NotNextError) return error.state;
      throw error;
    }
    return "next";
  }

  return {
    find: (projectId, firstLine) => findProgress(database, projectId, firstLine),

    async store(chunk) {
      const { step } = chunk;
      // Also for a repeated chunk, whose answer is the same again.
      const prepared = await prepareChunk(step.projectId, chunk);
      // Looked at before as well, so that what is not next is hardly ever inserted and thrown away.
      const before = await readStepState(database, step);
      const state = before === "next" ? await take(prepared, step) : before;
      if (state === "moved") return { refused: "moved" };
      return {
        bytes: step.to.bytes,
        accepted: prepared.views.length,
        rejected: prepared.rejected,
        repeated: state === "repeated",
      };
    },
  };
}

/** Ends the transaction, so that views which are imported already do not count again. */
class NotNextError extends Error {
  readonly state: "repeated" | "moved";

  constructor(state: "repeated" | "moved") {
    super(`The import is not where this chunk begins: ${state}.`);
    this.state = state;
  }
}

async function takeOrThrow(transaction: Transaction<Schema>, step: ImportStep): Promise<void> {
  const state = await takeStep(transaction, step);
  if (state !== "next") throw new NotNextError(state);
}
