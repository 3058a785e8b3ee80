import type { Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import type { Log } from "../../log.ts";
import type { Engine } from "../store/engine.ts";
import { chooseMerge } from "./merge.ts";
import { policyOf, writePolicy, type Policy } from "./policy.ts";
import { countRows, writeFold, writeMerge } from "./segments.ts";
import { nextSegment, publish, readState, readStateToFold, StateChangedError, type CountsState } from "./state.ts";

/** Views folded at once; what is beyond waits for the next round, so that the tail shrinks steadily. */
const FOLD_VIEWS_MAX = 500_000;

export interface Folder {
  /** Folds what is stored and unfolded, of every project; makes counts anew whose project counts otherwise now. */
  tick(): Promise<void>;
  /**
   * Makes a project's counts anew from its views.
   * @param onProgress of `done` of `total` steps
   */
  rebuild(projectId: string, onProgress?: (done: number, total: number) => void): Promise<void>;
  /** Runs something during which `tick` leaves a project alone. A fold that is under way may still be published. */
  hold(projectId: string, task: () => Promise<void>): Promise<void>;
  /** Makes all counts of a project one segment, without the days that are no longer kept. */
  mergeWhole(projectId: string): Promise<void>;
}

export interface FolderDependencies {
  engine: Engine;
  database: Kysely<Schema>;
  /** Ends what is under way, unpublished. */
  signal: AbortSignal;
  /** Told of segments that hold no more. */
  onReplaced: (segments: readonly number[]) => void;
  log: Log;
}

/**
 * Turns views into counts. Any number of folders may be at it: segments are made aside and published only onto the state that they
 * were made from, so the one that is later has worked in vain.
 */
export function createFolder({ engine, database, signal, onReplaced, log }: FolderDependencies): Folder {
  /** Projects that are left alone for now, by how many asked for it. */
  const held = new Map<string, number>();

  /** Resolves to whether more is left. */
  async function foldProject(projectId: string): Promise<boolean> {
    if (held.has(projectId)) return false;
    const state = await readStateToFold(database, projectId);
    const policy = await readPolicyOfSettings(projectId);
    if (policy === undefined) return false;
    if (state.isStale || (state.revision > 0 && writePolicy(policy) !== writePolicy(state.policy))) {
      await rebuild(projectId);
      return false;
    }
    const arrivals = someOf(state);
    if (arrivals.length === 0) return false;
    const taken = new Set(arrivals.map(({ batch }) => batch));
    const segment = await nextSegment(database);
    const fold = {
      projectId,
      segment,
      policy: state.policy,
      arrivals: [...taken],
      mark: state.bound,
      views: arrivals.reduce((sum, { views }) => sum + views, 0),
      excluded: [...state.hidden, ...state.unfolded.map(({ batch }) => batch).filter((batch) => !taken.has(batch))],
      retainedFrom: state.retainedFrom,
    };
    await writeFold(engine, fold, { signal });
    const segments = [...state.segments, segment];
    await publish(database, projectId, state.revision, {
      segments,
      mark: state.bound,
      policy: state.policy,
      isStale: false,
      folded: [...taken],
    });
    await mergeProject(projectId);
    return arrivals.length < state.unfolded.length;
  }

  async function mergeProject(projectId: string, choose = chooseMerge): Promise<void> {
    const state = await readState(database, projectId);
    const rows = await countRows(engine, state.segments);
    await mergeSegments(
      projectId,
      state,
      choose(state.segments.map((segment) => ({ segment, rows: rows.get(segment) ?? 0 }))),
    );
  }

  async function mergeSegments(projectId: string, state: CountsState, merged: readonly number[]): Promise<void> {
    if (merged.length === 0) return;
    const segment = await nextSegment(database);
    await writeMerge(engine, { projectId, segment, segments: merged, retainedFrom: state.retainedFrom });
    const segments = [...state.segments.filter((each) => !merged.includes(each)), segment];
    await publish(database, projectId, state.revision, { ...state, segments, folded: [] });
    onReplaced(merged);
  }

  async function rebuild(
    projectId: string,
    onProgress: (done: number, total: number) => void = () => {},
  ): Promise<void> {
    const policy = await readPolicyOfSettings(projectId);
    if (policy === undefined) return;
    const state = await readStateToFold(database, projectId);
    const [counted] = await engine.query<{ views: string }>(
      "select count() as views from {database:Identifier}.views where project = {project:String}",
      { project: projectId },
    );
    const segment = await nextSegment(database);
    const fold = {
      projectId,
      segment,
      policy,
      arrivals: "whole" as const,
      mark: state.bound,
      views: Number(counted?.views ?? 0),
      excluded: state.hidden,
      retainedFrom: state.retainedFrom,
    };
    await writeFold(engine, fold, { onShard: onProgress, signal });
    await publish(database, projectId, state.revision, {
      segments: [segment],
      mark: state.bound,
      policy,
      isStale: false,
      folded: state.unfolded.map(({ batch }) => batch),
    });
    onReplaced(state.segments);
  }

  async function readPolicyOfSettings(projectId: string): Promise<Policy | undefined> {
    const row = await database
      .selectFrom("projects")
      .select("settings")
      .where("id", "=", projectId)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    return row && policyOf(row.settings.analytics ?? {});
  }

  return {
    async tick() {
      for (const projectId of await listProjects(database)) {
        if (signal.aborted) return;
        try {
          while (await foldProject(projectId));
        } catch (error) {
          if (!(error instanceof StateChangedError) && !signal.aborted)
            log.error({ err: error, projectId }, "views could not be folded");
        }
      }
    },
    rebuild,
    async hold(projectId, task) {
      held.set(projectId, (held.get(projectId) ?? 0) + 1);
      try {
        return await task();
      } finally {
        const others = (held.get(projectId) ?? 1) - 1;
        if (others > 0) held.set(projectId, others);
        else held.delete(projectId);
      }
    },
    async mergeWhole(projectId) {
      await mergeProject(projectId, (segments) => segments.map(({ segment }) => segment));
    },
  };
}

function someOf({ unfolded }: CountsState): CountsState["unfolded"] {
  let views = 0;
  const end = unfolded.findIndex((each) => (views += each.views) > FOLD_VIEWS_MAX);
  return end === -1 ? unfolded : unfolded.slice(0, Math.max(1, end));
}

/** Projects with something to fold, or with counts whose settings may have changed. */
async function listProjects(database: Kysely<Schema>): Promise<string[]> {
  const rows = await database
    .selectFrom("analytics_batches")
    .select("project_id")
    .where("state", "=", "stored")
    .union(database.selectFrom("analytics_counts").select("project_id"))
    .execute();
  return rows.map((row) => row.project_id);
}
