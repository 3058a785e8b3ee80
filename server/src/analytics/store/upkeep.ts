import { sql, type Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import type { Batches } from "./batches.ts";
import type { Engine } from "./engine.ts";
import { storedTable } from "./schema.ts";
import { dayText } from "./view-line.ts";

const MS_PER_DAY = 86_400_000;

export interface StoreUpkeepDependencies {
  engine: Engine;
  database: Kysely<Schema>;
  batches: Batches;
  clock: () => Date;
}

/** Deletes what broken insertions have left, whose batches count nowhere, and then forgets the batches. */
export async function deleteAbandoned({ engine, batches }: StoreUpkeepDependencies): Promise<void> {
  await batches.abandonLeftBehind();
  const abandoned = await batches.listAbandoned();
  if (abandoned.length === 0) return;
  await engine.command(`alter table ${storedTable(engine, "views")} delete where batch in {abandoned:Array(UInt64)}`, {
    abandoned,
  });
  await batches.forget(abandoned);
}

/**
 * Moves the first day that each project keeps, and deletes the views before it. The day never moves back: what is gone is gone.
 * @returns the projects whose first day moved
 */
export async function applyRetention({ engine, database, clock }: StoreUpkeepDependencies): Promise<string[]> {
  const today = Math.floor(clock().getTime() / MS_PER_DAY) * MS_PER_DAY;
  const projects = await database
    .selectFrom("analytics_counts")
    .innerJoin("projects", "projects.id", "analytics_counts.project_id")
    .select(["project_id", "settings", sql<string | null>`retained_from::text`.as("retained_from")])
    .where("deleted_at", "is", null)
    .execute();
  const moved: string[] = [];
  for (const { project_id: projectId, settings, retained_from: before } of projects) {
    const days = settings.analytics?.retentionDays;
    if (days === undefined) continue;
    const retainedFrom = dayText(today - (days - 1) * MS_PER_DAY);
    if (before !== null && before >= retainedFrom) continue;
    await database
      .updateTable("analytics_counts")
      .set({ retained_from: retainedFrom, revision: sql`revision + 1` })
      .where("project_id", "=", projectId)
      .execute();
    await engine.command(
      `alter table ${storedTable(engine, "views")} delete where project = {project:String} and day < {retained_from:Date}`,
      { project: projectId, retained_from: retainedFrom },
    );
    moved.push(projectId);
  }
  return moved;
}

/** Deletes every trace of the readers of deleted projects. */
export async function deleteForgottenProjects({ engine, database }: StoreUpkeepDependencies): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from projects where deleted_at is not null and (
      exists (select from analytics_counts where project_id = projects.id)
      or exists (select from analytics_salts where project_id = projects.id)
      or exists (select from analytics_imports where project_id = projects.id)
      or exists (select from analytics_batches where project_id = projects.id and state = 'stored'))`.execute(database);
  for (const { id } of rows) {
    const parameters = { project: id };
    // What is stored from here on, by insertions that were under way, is left to the next time.
    const stored = await database
      .selectFrom("analytics_batches")
      .select("batch")
      .where("project_id", "=", id)
      .where("state", "=", "stored")
      .execute();
    await engine.command(
      `alter table ${storedTable(engine, "views")} delete where project = {project:String}`,
      parameters,
    );
    await engine.command(
      `alter table ${storedTable(engine, "counts")} delete where project = {project:String}`,
      parameters,
    );
    await database.transaction().execute(async (transaction) => {
      for (const table of ["analytics_counts", "analytics_salts", "analytics_imports"] as const) {
        await transaction.deleteFrom(table).where("project_id", "=", id).execute();
      }
      if (stored.length === 0) return;
      await transaction
        .deleteFrom("analytics_batches")
        .where("project_id", "=", id)
        .where(
          "batch",
          "in",
          stored.map(({ batch }) => batch),
        )
        .execute();
    });
  }
}
