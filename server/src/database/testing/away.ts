import { createEmptyTestDatabase, type TestDatabase } from "./postgres.ts";

/** Does the work while nobody can reach the database. */
export async function whileAway({ pool }: TestDatabase, work: () => Promise<void>): Promise<void> {
  const { rows } = await pool.query("select current_database() as name");
  const { name } = rows[0] as { name: string };
  const other = await createEmptyTestDatabase();
  await other.pool.query(`alter database ${name} allow_connections false`);
  await other.pool.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  try {
    await work();
  } finally {
    await other.pool.query(`alter database ${name} allow_connections true`);
    await other.close();
  }
}
