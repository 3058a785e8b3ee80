import type { Kysely } from "kysely";
import { createRowLoader } from "../../database/row-loader.ts";
import type { AnalyticsSettings, Schema } from "../../database/schema.ts";
import { createRecentMap } from "../recent-map.ts";

/** For how long settings may be out of date: reading them for each event would cost as much as the event. */
const FRESH_MS = 2_000;
const PROJECTS_REMEMBERED = 10_000;
/** Nothing else is asked of PostgreSQL: a NUL from anybody's URL would spoil the query for all who share it. */
const PROJECT_ID = /^[a-z]{1,10}_[0-9A-Za-z]{1,64}$/;

export interface CollectSettings {
  /** How the project counts its readers, as it was at most 2 s ago; undefined when there is no such project. */
  find(projectId: string): Promise<AnalyticsSettings | undefined>;
}

export function createCollectSettings({
  database,
  clock,
}: {
  database: Kysely<Schema>;
  clock: () => Date;
}): CollectSettings {
  const rows = createRowLoader(async (projectIds) => {
    const found = await database
      .selectFrom("projects")
      .select(["id", "settings"])
      .where("id", "in", projectIds)
      .where("deleted_at", "is", null)
      .execute();
    return new Map(found.map(({ id, settings }) => [id, settings.analytics ?? {}]));
  });
  const remembered = createRecentMap<{ settings: Promise<AnalyticsSettings | undefined>; readAt: number }>(
    PROJECTS_REMEMBERED,
  );

  return {
    async find(projectId) {
      if (!PROJECT_ID.test(projectId)) return undefined;
      const now = clock().getTime();
      const known = remembered.get(projectId);
      if (known !== undefined && Math.abs(now - known.readAt) < FRESH_MS) return await known.settings;
      const entry = { settings: rows.load(projectId), readAt: now };
      remembered.set(projectId, entry);
      // The next to ask tries again.
      entry.settings.catch(() => (entry.readAt = -Infinity));
      return await entry.settings;
    },
  };
}
