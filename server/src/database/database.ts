import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { StartError } from "../start-error.ts";
import type { Schema } from "./schema.ts";

export interface DatabaseConnection {
  database: Kysely<Schema>;
  /** The same connections, for plain SQL. */
  pool: pg.Pool;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** What `startEmbeddedPostgres` returned, or a `postgresql://` URL. */
  connection: pg.PoolConfig | string;
  log: (line: string) => void;
  /** Connections at most. Default 20. */
  connectionsMax?: number;
  /** Shown in `pg_stat_activity`. Default "docent". */
  applicationName?: string;
  /** A statement that takes longer is cancelled. Default 30 s. */
  statementTimeoutMs?: number;
}

/**
 * How long a transaction may lie open between two statements before the server ends it. A worker that was stopped in the
 * middle of one (SIGSTOP, a machine that is gone) holds its rows' locks no longer than this, so that another can go on.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** `bigint` columns as numbers; one beyond 2^53 is an error rather than a rounded number. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === pg.types.builtins.INT8 && format !== "binary" ? parseBigint : pg.types.getTypeParser(id, format),
};

function parseBigint(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`The bigint ${text} does not fit a JavaScript number.`);
  return number;
}

/** The options of a single connection, for those that keep one of their own (`LISTEN`, the owner's lock). */
export function clientConfig(connection: pg.PoolConfig | string): pg.ClientConfig {
  return {
    ...(typeof connection === "string" ? { connectionString: connection } : connection),
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: TYPES,
  };
}

/** Opens a pool of connections; the first query connects. */
export function connectDatabase(options: DatabaseOptions): DatabaseConnection {
  const pool = new pg.Pool({
    ...clientConfig(options.connection),
    max: options.connectionsMax ?? 20,
    application_name: options.applicationName ?? "docent",
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // Kept rather than closed after 10 s: a new connection costs PostgreSQL a process.
    idleTimeoutMillis: 60_000,
  });
  // The pool replaces a connection that breaks while idle; without a listener the process would end.
  pool.on("error", (error) => options.log(`A connection to the database broke: ${error.message}`));
  // One in use is not the pool's to watch: what it was asked rejects, and without a listener the process would end too.
  pool.on("connect", (client) => client.on("error", () => {}));
  const database = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { database, pool, close: () => database.destroy() };
}

const SERVER_VERSION_MIN = 14;

/**
 * Makes sure that the database answers and is one that Docent can work with, before anything else uses it.
 * @throws StartError naming no credential.
 */
export async function requireDatabase(pool: pg.Pool, name: string): Promise<void> {
  let version: number;
  try {
    const { rows } = await pool.query<{ version: number }>(
      "select current_setting('server_version_num')::integer / 10000 as version",
    );
    version = rows[0]?.version ?? 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The database of ${name} does not answer: ${reason}. Start it, or correct ${name}.`, {
      cause: error,
    });
  }
  if (version < SERVER_VERSION_MIN) {
    throw new StartError(
      `The database of ${name} is PostgreSQL ${version}; Docent needs ${SERVER_VERSION_MIN} or newer.`,
    );
  }
}
