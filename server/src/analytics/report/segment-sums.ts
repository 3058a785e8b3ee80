import type { Engine } from "../store/engine.ts";
import { loadSql } from "../store/sql.ts";
import { FigureSum, type Figures } from "./figures.ts";

const SQL = {
  visitors: loadSql(import.meta.url, "./segment-sums.sql", { human: "human", ai: "ai", total: "total" }),
  views: loadSql(import.meta.url, "./segment-sums.sql", {
    human: "human_views",
    ai: "ai_views",
    total: "total_views",
  }),
};

/** Keys that are remembered, about 150 bytes each. */
const KEYS_REMEMBERED = 300_000;

export type What = keyof typeof SQL;

export interface SegmentSums {
  /**
   * The sums of segments over the days from `from` up to and without `to`. A segment never changes, so its sums are remembered: asking
   * again for a range reads only the segments that are new.
   */
  read(what: What, segments: readonly number[], days: { from: string; to: string }): Promise<Figures[]>;
}

export function createSegmentSums({ engine }: { engine: Engine }): SegmentSums {
  const remembered = new Map<string, { figures: Figures; keys: number }>();
  let keysHeld = 0;

  function recall(name: string): Figures | undefined {
    const found = remembered.get(name);
    if (found === undefined) return undefined;
    // The order of the map is that of use.
    remembered.delete(name);
    remembered.set(name, found);
    return found.figures;
  }

  function remember(name: string, figures: Figures): void {
    if (remembered.has(name)) return;
    const keys = [...figures.values()].reduce((sum, each) => sum + each.size, 1);
    remembered.set(name, { figures, keys });
    keysHeld += keys;
    for (const [oldest, { keys: its }] of remembered) {
      if (keysHeld <= KEYS_REMEMBERED) return;
      remembered.delete(oldest);
      keysHeld -= its;
    }
  }

  return {
    async read(what, segments, { from, to }) {
      const nameOf = (segment: number): string => `${what} ${segment} ${from} ${to}`;
      const found = new Map(segments.map((segment) => [segment, recall(nameOf(segment))]));
      const missing = segments.filter((segment) => found.get(segment) === undefined);
      if (missing.length > 0) {
        const rows = await engine.query<Record<"segment" | "scope" | "key" | "human" | "ai" | "total", string>>(
          SQL[what],
          {
            segments: missing,
            from,
            to,
          },
        );
        const sums = new Map(missing.map((segment) => [segment, new FigureSum()]));
        for (const { segment, scope, key, human, ai, total } of rows) {
          sums.get(Number(segment))?.add(scope, key, { human: Number(human), ai: Number(ai), total: Number(total) });
        }
        for (const [segment, { scopes }] of sums) {
          found.set(segment, scopes);
          remember(nameOf(segment), scopes);
        }
      }
      return segments.flatMap((segment) => found.get(segment) ?? []);
    },
  };
}
