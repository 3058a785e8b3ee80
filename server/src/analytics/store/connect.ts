import { createRequire } from "node:module";
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from "@clickhouse/client";
import { StartError } from "../../start-error.ts";
import { createEngine, type Engine } from "./engine.ts";

type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>["connection"]>;

/** Longer than any statement takes. */
const REQUEST_TIMEOUT_MS = 600_000;

export interface StoreAddress {
  /** Where chDB keeps its files when there is no server. One process alone may use it. */
  directory: string;
  /** May carry credentials and, as its path, the database: `https://user:password@host:8443/docent`. Null: chDB. */
  clickhouseUrl: string | null;
  clickhouseCluster: string | null;
}

/**
 * Opens the engine for the visits.
 * @returns null where chDB has no binary for this platform and no server is given
 */
export async function connectStore(address: StoreAddress): Promise<Engine | null> {
  if (address.clickhouseUrl !== null) return connectClickHouse(address.clickhouseUrl, address.clickhouseCluster);
  if (!hasChdb()) return null;
  const chdb = await openChdb(address.directory);
  return chdb.engine("docent");
}

export interface Chdb {
  client: ClickHouseClient;
  /** Over one of its databases. */
  engine(database: string): Engine;
}

/** chDB on a directory, which it makes. A process can have one directory open. */
export async function openChdb(directory: string): Promise<Chdb> {
  const { createChdbConnection } = await import("chdb/connection");
  const connection = createChdbConnection({ path: directory });
  // Both packages declare the same interface, each from its own copy, and TypeScript's exact optional properties tell them apart.
  const client = createClient({ connection: connection as unknown as Connection });
  return {
    client,
    engine: (database) =>
      createEngine(client, {
        database,
        cluster: null,
        // The client would make texts of the bytes and bytes of the texts again: 1.3 times as many rows a second without.
        async insertLines(table, lines) {
          await connection.chdb.rawInsert({ table, values: lines, format: "TabSeparated" });
        },
      }),
  };
}

function connectClickHouse(clickhouseUrl: string, cluster: string | null): Engine {
  const url = new URL(clickhouseUrl);
  const database = decodeURIComponent(url.pathname.slice(1)) || "docent";
  url.pathname = "/";
  const client = createClient({
    url,
    application: "docent",
    request_timeout: REQUEST_TIMEOUT_MS,
    // Long statements answer nothing until they are done; without these headers a proxy would give them up.
    clickhouse_settings: { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: "10000" },
    max_open_connections: 20,
    // Its errors are thrown, and reported where they are caught.
    log: { level: ClickHouseLogLevel.OFF },
  });
  return createEngine(client, { database, cluster });
}

/** npm leaves the package out where chDB has no binary. */
function hasChdb(): boolean {
  const require = createRequire(createRequire(import.meta.url).resolve("chdb/package.json"));
  const names = [`@chdb/lib-${process.platform}-${process.arch}`, `@chdb/lib-${process.platform}-${process.arch}-gnu`];
  return names.some((name) => {
    try {
      require.resolve(`${name}/package.json`);
      return true;
    } catch {
      return false;
    }
  });
}

/** @throws StartError when the server does not answer, naming no credential. */
export async function requireStore(engine: Engine, name: string): Promise<void> {
  try {
    await engine.query("select 1");
  } catch (error) {
    throw new StartError(`${name} cannot be used: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
