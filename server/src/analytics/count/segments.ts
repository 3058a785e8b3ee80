import type { Engine, Parameters } from "../store/engine.ts";
import { storedTable } from "../store/schema.ts";
import { loadSql } from "../store/sql.ts";
import { purposesOf, type Policy } from "./policy.ts";

const places = loadSql(import.meta.url, "./places.sql");
const FOLD_VISITORS = loadSql(import.meta.url, "./fold-visitors.sql", { places });
const FOLD_VIEWS = loadSql(import.meta.url, "./fold-views.sql", { places });
const MERGE = loadSql(import.meta.url, "./merge.sql");

/**
 * Rows that are grouped at once. Grouping 1.25 M rows took 170 MB beside what the engine takes anyway, and no longer than more at once.
 */
const SHARD_ROWS = 1_250_000;
/** A visitor among the arrivals brings its earlier views with it: 20 of them on an average is much. */
const SHARD_ARRIVALS = 60_000;
const SHARDS_MAX = 4_096;

/** The first day that ClickHouse's `Date` can tell from "never": views before 1971 are not taken. */
export const FIRST_DAY = "1970-01-02";

export interface Fold {
  projectId: string;
  segment: number;
  policy: Policy;
  /** The batches to fold; `whole`: all but the excluded ones, from the start. */
  arrivals: readonly number[] | "whole";
  /** The number of views to fold. */
  views: number;
  /** Batches with higher numbers are left alone. */
  mark: number;
  /** As are these: they are not stored yet, or not folded now. */
  excluded: readonly number[];
  retainedFrom: string | null;
}

/** What the policy lets count, as the SQL of places wants it. */
export function policyParameters(policy: Policy): Parameters {
  return { people: policy.people, agents: policy.agents, purposes: purposesOf(policy) };
}

/** Writes the counts of the arrivals as a segment, in shards. Nothing sees it until it is published. */
export async function writeFold(
  engine: Engine,
  fold: Fold,
  options: { onShard?: (done: number, total: number) => void; signal?: AbortSignal } = {},
): Promise<void> {
  const isWhole = fold.arrivals === "whole";
  const parameters: Parameters = {
    project: fold.projectId,
    segment: fold.segment,
    ...policyParameters(fold.policy),
    whole: isWhole,
    arrivals: fold.arrivals === "whole" ? [] : fold.arrivals,
    mark: fold.mark,
    excluded: fold.excluded,
    retained_from: fold.retainedFrom ?? FIRST_DAY,
  };
  const shards = Math.min(SHARDS_MAX, Math.ceil(fold.views / (isWhole ? SHARD_ROWS : SHARD_ARRIVALS)) || 1);
  for (const [index, range] of visitorRanges(shards).entries()) {
    options.signal?.throwIfAborted();
    await engine.command(FOLD_VISITORS, { ...parameters, ...range });
    options.onShard?.(index + 1, shards);
  }
  await engine.command(FOLD_VIEWS, parameters);
}

/** Writes the sum of segments as one. */
export async function writeMerge(
  engine: Engine,
  merge: { projectId: string; segment: number; segments: readonly number[]; retainedFrom: string | null },
): Promise<void> {
  await engine.command(MERGE, {
    project: merge.projectId,
    segment: merge.segment,
    segments: merge.segments,
    retained_from: merge.retainedFrom ?? FIRST_DAY,
  });
}

/** The rows of each segment that has any. */
export async function countRows(engine: Engine, segments: readonly number[]): Promise<Map<number, number>> {
  const rows = await engine.query<{ segment: string; rows: string }>(
    "select segment, count() as rows from {database:Identifier}.counts where segment in {segments:Array(UInt32)} group by segment",
    { segments },
  );
  return new Map(rows.map((row) => [Number(row.segment), Number(row.rows)]));
}

export async function listSegments(engine: Engine): Promise<number[]> {
  const rows = await engine.query<{ segment: string }>("select distinct segment from {database:Identifier}.counts");
  return rows.map((row) => Number(row.segment));
}

export async function dropSegment(engine: Engine, segment: number): Promise<void> {
  await engine.command(`alter table ${storedTable(engine, "counts")} drop partition ${Math.trunc(segment)}`);
}

/** All visitors in ranges of the same width, which hold about as many each, since a visitor's number is a hash. */
function visitorRanges(count: number): { visitor_first: bigint; visitor_last: bigint }[] {
  const start = (index: number): bigint => (2n ** 64n * BigInt(index)) / BigInt(count);
  return Array.from({ length: count }, (_, index) => ({
    visitor_first: start(index),
    visitor_last: start(index + 1) - 1n,
  }));
}
