import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { StartError } from "../start-error.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { Schema } from "./schema.ts";

/** Any number that nothing else locks. */
const MIGRATION_LOCK = 7_310_400_001;

/**
 * Brings the database's tables to this version: all of it or nothing. Of several processes that start at once, one does it and the
 * others wait.
 * @returns the names of the migrations that it ran.
 * @throws StartError when a newer version has already changed the tables.
 */
export async function migrate(
  database: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): Promise<string[]> {
  return await database.connection().execute(async (connection) => {
    // Waiting for another process's migration, and a long one of its own, may take longer than a statement usually may.
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection);
    try {
      await refuseNewer(connection, migrations);
      const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => ({ ...migrations }) } });
      const { error, results } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
      return (results ?? []).map((result) => result.migrationName);
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection);
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}

async function refuseNewer(database: Kysely<Schema>, migrations: Readonly<Record<string, Migration>>): Promise<void> {
  const table = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    database,
  );
  if (table.rows[0]?.exists !== true) return;
  const executed = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database);
  const unknown = executed.rows.map((row) => row.name).filter((name) => !(name in migrations));
  if (unknown.length === 0) return;
  throw new StartError(
    `A newer Docent has already changed this database (${unknown.join(", ")}), and this one does not know how to use ` +
      `it. Start that version or a later one, or restore a backup from before.`,
  );
}
