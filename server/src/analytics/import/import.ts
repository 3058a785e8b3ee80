import type { Kysely, Transaction } from "kysely";
import type { Schema } from "../../database/schema.ts";
import type { Classify } from "../classify/classify.ts";
import type { Salts } from "../collect/salts.ts";
import type { CollectSettings } from "../collect/settings.ts";
import type { Visits } from "../store/visits.ts";
import type { LogChunk } from "./chunk.ts";
import {
  findProgress,
  readStepState,
  takeStep,
  type ImportProgress,
  type ImportStep,
  type StepState,
} from "./progress.ts";
import { createPrepareChunk, type ChunkRejection, type PreparedChunk } from "./prepare.ts";

export interface StoredChunk {
  /** How far the log is imported now, at least. */
  bytes: number;
  /** Views of this chunk that are stored, now or by the request that this one repeats. */
  accepted: number;
  rejected: readonly ChunkRejection[];
  repeated: boolean;
}

export interface LogImports {
  /** How far logs with this first line, given by its SHA-256, are imported; the furthest first. */
  find(projectId: string, firstLine: Buffer): Promise<ImportProgress[]>;
  /**
   * Stores a chunk's views and moves the import, both or neither. May be repeated.
   * @returns `not_found` for a project that is gone, `moved` when another import has come further in what may be the same log, or the import is not where the chunk begins.
   * @throws VisitsBusyError when too much waits to be stored.
   */
  store(chunk: LogChunk): Promise<StoredChunk | { refused: "moved" | "not_found" }>;
}

export interface LogImportsDependencies {
  database: Kysely<Schema>;
  visits: Pick<Visits, "add">;
  classify: Classify;
  salts: Pick<Salts, "visitorHash">;
  settings: CollectSettings;
  clock: () => Date;
}

export function createLogImports({ database, visits, settings, ...preparation }: LogImportsDependencies): LogImports {
  const prepareChunk = createPrepareChunk(preparation);

  /** What each run has under way: a client sends a chunk while the one before it is being stored. */
  const underWay = new Map<string, Promise<unknown>>();

  async function take(prepared: PreparedChunk, step: ImportStep): Promise<StepState> {
    const { projectId } = step;
    try {
      await visits.add({ projectId, views: prepared.views }, (transaction) => takeOrThrow(transaction, step));
    } catch (error) {
      if (error instanceof NotNextError) return error.state;
      throw error;
    }
    return "next";
  }

  /** Looked at before as well, so that what is not next is hardly ever inserted and thrown away. */
  async function takeNext(prepared: PreparedChunk, step: ImportStep): Promise<StepState> {
    const state = await readStepState(database, step);
    return state === "next" ? await take(prepared, step) : state;
  }

  async function inTurn<Answer>({ projectId, importId }: ImportStep, run: () => Promise<Answer>): Promise<Answer> {
    const key = `${projectId} ${importId}`;
    const answer = (underWay.get(key) ?? Promise.resolve()).then(run, run);
    underWay.set(key, answer);
    try {
      return await answer;
    } finally {
      if (underWay.get(key) === answer) underWay.delete(key);
    }
  }

  return {
    find: (projectId, firstLine) => findProgress(database, projectId, firstLine),

    async store(chunk) {
      const { step } = chunk;
      const counting = await settings.find(step.projectId);
      if (counting === undefined) return { refused: "not_found" };
      // Also for a repeated chunk, whose answer is the same again.
      const prepared = await prepareChunk(chunk, counting);
      const state = await inTurn(step, () => takeNext(prepared, step));
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
