import type { ControlDatabase } from "../../server/src/control-database.ts";
import type { Engine } from "../../server/src/analytics/store/engine.ts";

export interface Seed {
  projectId: string;
  views: number;
  /** Distinct visitors at most; a tenth each are AI agents and bots. */
  visitors: number;
  paths: number;
  days: number;
  /** The last of the days, `YYYY-MM-DD`. */
  lastDay: string;
}

/** Fills the store with random views: popular pages are read far more often, and visitors come back. Made by the engine itself. */
export async function seedViews(engine: Engine, pool: ControlDatabase["pool"], seed: Seed): Promise<void> {
  const { rows } = await pool.query<{ batch: number }>("select nextval('analytics_batch') as batch");
  const chunk = 5_000_000;
  for (let first = 0; first < seed.views; first += chunk) {
    await engine.command(
      `insert into {database:Identifier}.views
      select {project:String}, intHash64(who), concat('/docs/page-', toString(toUInt32(pow(rand64(1) / 18446744073709551615., 3) * {paths:UInt32}))),
        day, toDateTime(day, 'UTC') + rand(4) % 86400, class,
        if(class = 'ai', ['assistant', 'search', 'training'][1 + who % 3], 'none'),
        if(class = 'human', '', concat(toString(class), '-', toString(who % 12))),
        ['tracker', 'log'][1 + rand(5) % 2], rand(6) % 100 = 0, '', {batch:UInt64}
      from (
        select rand64(2) % {visitors:UInt64} as who, toDate({last:Date}) - rand(3) % {days:UInt16} as day,
          multiIf(who % 10 = 0, 'ai', who % 10 = 1, 'bot', 'human') as class
        from numbers({count:UInt64}))`,
      {
        project: seed.projectId,
        paths: seed.paths,
        visitors: seed.visitors,
        days: seed.days,
        last: seed.lastDay,
        batch: rows[0]?.batch ?? 0,
        count: Math.min(chunk, seed.views - first),
      },
    );
  }
}
