import { createPlaces } from "../count/places.ts";
import type { Policy } from "../count/policy.ts";
import type { Engine, Parameters } from "../store/engine.ts";
import { loadSql } from "../store/sql.ts";
import type { View } from "../view.ts";
import { FigureSum, type Figures } from "./figures.ts";

const visitors = loadSql(import.meta.url, "./tail-visitors.sql");
const VIEWS = loadSql(import.meta.url, "./tail-views.sql");
const SUMS = loadSql(import.meta.url, "./tail-sums.sql", {
  places: loadSql(import.meta.url, "../count/places.sql"),
  visitors,
});

/** The views of a short tail's visitors are looked at here, which takes 10 ms; the engine needs 14 ms alone to plan how to sum them. */
const VISITORS_MAX = 2_000;
const VIEWS_MAX = 50_000;

/** What the unfolded batches add to the folded counts over a range of days. */
export interface Tail {
  visitors: Figures;
  views: Figures;
}

export interface TailOptions {
  /** A tail of more visitors is summed by the engine. */
  visitorsMax?: number;
}

interface TailView extends Omit<View, "time" | "visitor" | "isMissing" | "referrer"> {
  visitor: string;
  missing: boolean;
  is_tail: number;
}

/**
 * @param parameters of the state and the range
 * @param known the visitors of the tail, where somebody knows them
 */
export async function readTail(
  engine: Engine,
  policy: Policy,
  parameters: Parameters,
  { visitorsMax = VISITORS_MAX, known }: TailOptions & { known?: readonly bigint[] | undefined } = {},
): Promise<Tail> {
  const found = known ?? (await findVisitors(engine, parameters, visitorsMax + 1));
  if (found.length > visitorsMax) return await sumInEngine(engine, parameters);
  const views = await engine.query<TailView>(VIEWS, {
    ...parameters,
    visitors: found,
    limit: VIEWS_MAX + 1,
  });
  return views.length > VIEWS_MAX ? await sumInEngine(engine, parameters) : sumHere(views, policy);
}

async function findVisitors(engine: Engine, parameters: Parameters, limit: number): Promise<bigint[]> {
  const rows = await engine.query<{ visitor: string }>(`${visitors} limit {limit:UInt64}`, { ...parameters, limit });
  return rows.map(({ visitor }) => BigInt(visitor));
}

async function sumInEngine(engine: Engine, parameters: Parameters): Promise<Tail> {
  const rows = await engine.query<
    Record<"scope" | "key" | "human" | "ai" | "total" | "human_views" | "ai_views" | "total_views", string>
  >(SUMS, parameters);
  const tail = { visitors: new FigureSum(), views: new FigureSum() };
  for (const { scope, key, human, ai, total, human_views, ai_views, total_views } of rows) {
    const views = { human: Number(human_views), ai: Number(ai_views), total: Number(total_views) };
    tail.views.add(scope, key, views);
    const isSource = scope === "source";
    tail.visitors.add(scope, key, isSource ? views : { human: Number(human), ai: Number(ai), total: Number(total) });
  }
  return { visitors: tail.visitors.scopes, views: tail.views.scopes };
}

function sumHere(views: readonly TailView[], policy: Policy): Tail {
  const placesOf = createPlaces(policy);
  /** Who was where: bits for a human and an AI, seen before and in the tail. */
  const seen = new Map<string, { scope: string; key: string; before: number; tail: number }>();
  const tail = { visitors: new FigureSum(), views: new FigureSum() };
  for (const { missing, is_tail, visitor, ...rest } of views) {
    const bit = rest.class === "human" ? HUMAN : rest.class === "ai" ? AI : BOT;
    const view = { human: bit === HUMAN ? 1 : 0, ai: bit === AI ? 1 : 0, total: 1 };
    for (const [scope, key] of placesOf({ ...rest, isMissing: missing })) {
      const name = `${visitor} ${scope} ${key}`;
      let place = seen.get(name);
      if (place === undefined) seen.set(name, (place = { scope, key, before: 0, tail: 0 }));
      if (is_tail === 1) {
        place.tail |= bit;
        tail.views.add(scope, key, view);
      } else place.before |= bit;
    }
    if (is_tail === 1) {
      tail.views.add("source", rest.source, view);
      tail.visitors.add("source", rest.source, view);
    }
  }
  for (const { scope, key, before, tail: now } of seen.values()) {
    const isNew = (bits: number): number => ((now & bits) !== 0 && (before & bits) === 0 ? 1 : 0);
    tail.visitors.add(scope, key, { human: isNew(HUMAN), ai: isNew(AI), total: isNew(HUMAN | AI | BOT) });
  }
  return { visitors: tail.visitors.scopes, views: tail.views.scopes };
}

const HUMAN = 1;
const AI = 2;
const BOT = 4;
