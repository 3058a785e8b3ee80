import { join } from "node:path";
import type pg from "pg";
import type { Config } from "./config.ts";
import { connectDatabase, requireDatabase, type DatabaseConnection } from "./database/database.ts";
import { startEmbeddedPostgres } from "./database/embedded.ts";
import { migrate } from "./database/migrate.ts";
import { claimOwnership } from "./database/ownership.ts";
import { StartError } from "./start-error.ts";

export interface ControlDatabase extends DatabaseConnection {
  connection: pg.PoolConfig | string;
  /** The server is this process's own: no other Docent process can use it. */
  isEmbedded: boolean;
}

type Release = () => Promise<void>;

/**
 * Opens the control database: the embedded server, owned by this process alone, or the one of `DATABASE_URL`. Pushes
 * what has to be released, also when it throws half-way.
 * @throws StartError when another process serves the data directory, or the database cannot be used.
 */
export async function openControlDatabase(
  config: Config,
  options: { releases: Release[]; log: (line: string) => void; onLost: (reason: string) => void },
): Promise<ControlDatabase> {
  const { releases, log, onLost } = options;
  if (config.databaseUrl !== null) {
    return connect(config.databaseUrl, "DATABASE_URL", false);
  }
  const server = await startEmbeddedPostgres({ directory: join(config.data, "postgres"), log });
  const ownership = await claimOwnership({ connection: server.connection, name: "serve", onLost });
  if ("ownedBy" in ownership) {
    throw new StartError(
      `The data directory ${config.data} is already served by ${ownership.ownedBy}. Stop that one first, or give this one another directory with --data.`,
    );
  }
  releases.push(() => server.stop());
  releases.push(() => ownership.release());
  return connect(server.connection, "the embedded PostgreSQL", true);

  async function connect(
    connection: pg.PoolConfig | string,
    name: string,
    isEmbedded: boolean,
  ): Promise<ControlDatabase> {
    const opened = connectDatabase({ connection, log });
    releases.push(() => opened.close());
    await requireDatabase(opened.pool, name);
    await migrate(opened.database);
    return { ...opened, connection, isEmbedded };
  }
}
