import { sql, type Kysely } from "kysely";
import type { AnalyticsSettings, Schema } from "../../database/schema.ts";
import { readBound } from "../store/batches.ts";
import { policyOf, readPolicy, writePolicy, type Policy } from "./policy.ts";

/** What a project's figures are made of at one moment. */
export interface CountsState {
  /** The segments of the counts table that hold. */
  segments: number[];
  revision: number;
  /** Batches up to this number are in the segments, unless they are unfolded or hidden; those beyond count only if unfolded. */
  mark: number;
  policy: Policy;
  /** The segments count views that are no longer there. */
  isStale: boolean;
  /** Views of earlier days do not count any more, `YYYY-MM-DD`; null: all do. */
  retainedFrom: string | null;
  /** Batches that count and are not in the segments. */
  unfolded: UnfoldedBatch[];
  /** Batches whose rows may be in the store and do not count. */
  hidden: number[];
}

export interface UnfoldedBatch {
  batch: number;
  views: number;
}

/** One statement, so that all of it is of the same moment. A project without counts has none and the policy of its settings. */
export async function readState(database: Kysely<Schema>, projectId: string): Promise<CountsState> {
  const { rows } = await sql<{
    segments: number[] | null;
    revision: number | null;
    mark: number | null;
    policy: string | null;
    is_stale: boolean | null;
    retained_from: string | null;
    settings: { analytics?: AnalyticsSettings } | null;
    batches: { batch: number; state: string; views: number }[] | null;
  }>`
    select to_json(counts.segments) as segments, counts.revision, counts.mark, counts.policy, counts.is_stale, counts.retained_from::text as retained_from, projects.settings,
      (select json_agg(json_build_object('batch', batch, 'state', state, 'views', views) order by batch)
       from analytics_batches where analytics_batches.project_id = given.id) as batches
    from (select ${projectId}::text as id) as given
    left join projects on projects.id = given.id
    left join analytics_counts as counts on counts.project_id = given.id`.execute(database);
  const row = rows[0];
  const batches = row?.batches ?? [];
  return {
    segments: row?.segments ?? [],
    revision: row?.revision ?? 0,
    mark: row?.mark ?? 0,
    policy: row?.policy == null ? policyOf(row?.settings?.analytics ?? {}) : readPolicy(row.policy),
    isStale: row?.is_stale ?? false,
    retainedFrom: row?.retained_from ?? null,
    unfolded: batches.filter(({ state }) => state === "stored").map(({ batch, views }) => ({ batch, views })),
    hidden: batches.filter(({ state }) => state !== "stored").map(({ batch }) => batch),
  };
}

/** The state to fold from: its `bound` is the mark that the next state has. */
export async function readStateToFold(
  database: Kysely<Schema>,
  projectId: string,
): Promise<CountsState & { bound: number }> {
  return await database.transaction().execute(async (transaction) => {
    const bound = await readBound(transaction);
    return { ...(await readState(transaction, projectId)), bound };
  });
}

/** The project has been counted by something else meanwhile, or is gone. */
export class StateChangedError extends Error {
  override name = "StateChangedError";
}

export interface Publication {
  segments: readonly number[];
  mark: number;
  policy: Policy;
  isStale: boolean;
  /** The batches that the segments now hold. */
  folded: readonly number[];
}

/**
 * Makes segments hold, in one transaction with taking the batches that they hold from the register.
 * @param revision of the state that the segments were made from
 * @throws StateChangedError
 */
export async function publish(
  database: Kysely<Schema>,
  projectId: string,
  revision: number,
  { segments, mark, policy, isStale, folded }: Publication,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { rows } = await sql`
      insert into analytics_counts as counts (project_id, segments, revision, mark, policy, is_stale)
      select id, ${[...segments]}::bigint[], ${revision + 1}, ${mark}, ${writePolicy(policy)}, ${isStale} from projects
      where id = ${projectId} and deleted_at is null
      on conflict (project_id) do update
        set segments = excluded.segments, revision = excluded.revision, mark = excluded.mark, policy = excluded.policy, is_stale = excluded.is_stale
        where counts.revision = ${revision}
      returning revision`.execute(transaction);
    if (rows.length === 0) throw new StateChangedError(`The counts of ${projectId} have changed.`);
    if (folded.length === 0) return;
    await transaction
      .deleteFrom("analytics_batches")
      .where("project_id", "=", projectId)
      .where("batch", "in", [...folded])
      .where("state", "=", "stored")
      .execute();
  });
}

/** Views are about to be deleted, or have been: the counts are to be made anew, by whoever folds next should this process die. */
export async function markStale(database: Kysely<Schema>, projectId: string): Promise<void> {
  await database
    .updateTable("analytics_counts")
    .set({ is_stale: true, revision: sql`revision + 1` })
    .where("project_id", "=", projectId)
    .execute();
}

export async function nextSegment(database: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ segment: number }>`select nextval('analytics_segment') as segment`.execute(database);
  return rows[0]?.segment ?? 0;
}
