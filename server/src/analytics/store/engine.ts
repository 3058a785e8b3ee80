import { Readable } from "node:stream";
import { ClickHouseError, type ClickHouseClient, type ClickHouseSettings } from "@clickhouse/client";
import { ApiError } from "../../errors.ts";

/** A value bound to a `{name:Type}` placeholder. */
export type Parameter = string | number | bigint | boolean | readonly (string | number | bigint)[];
export type Parameters = Readonly<Record<string, Parameter>>;

/** The analytics engine: chDB in this process or a ClickHouse server, with the same SQL. `{database:Identifier}` is always bound. */
export interface Engine {
  /** Null for chDB and for a server that stands alone. */
  cluster: string | null;
  /** The rows of a query. UInt64 and Int64 columns arrive as texts. */
  query<Row>(sql: string, parameters?: Parameters): Promise<Row[]>;
  /** A statement that answers nothing. */
  command(sql: string, parameters?: Parameters): Promise<void>;
  /** Inserts lines in ClickHouse's TabSeparated format; they are on the disk, synced, when it resolves. */
  insert(table: string, lines: string): Promise<void>;
  close(): Promise<void>;
}

/** An insertion that takes longer is given up by server and client alike, so that it cannot land much later. */
export const INSERT_TIMEOUT_MS = 60_000;

const QUERY_SETTINGS: ClickHouseSettings = { output_format_json_quote_64bit_integers: 1 };

const COMMAND_SETTINGS: ClickHouseSettings = {
  // Sorting and grouping go to the disk beyond these, rather than fail.
  max_bytes_before_external_group_by: String(1024 ** 3),
  max_bytes_before_external_sort: String(1024 ** 3),
  max_memory_usage: String(6 * 1024 ** 3),
  // A mutation is done when its statement is.
  mutations_sync: "2",
};

/** With several replicas and shards, a query sees what was inserted before it, wherever that went. */
const CLUSTER_SETTINGS: ClickHouseSettings = {
  insert_quorum: "auto",
  insert_quorum_parallel: 0,
  select_sequential_consistency: "1",
  distributed_foreground_insert: 1,
  distributed_product_mode: "global",
  alter_sync: "2",
};

/** The engine could not be asked: nothing is known of what was said to it. */
export class EngineUnreachableError extends ApiError {
  override name = "EngineUnreachableError";
}

/** What the engine itself says passes as it is. */
async function reaching<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isOfEngine(error)) throw error;
    const unreachable = new EngineUnreachableError("unavailable", {
      message: "The store of the visits does not answer; try again.",
      headers: { "retry-after": "2" },
    });
    unreachable.cause = error;
    throw unreachable;
  }
}

/** Not by its class, of which chDB's connection has a copy of its own; its own errors have names. */
export function isOfEngine(error: unknown): boolean {
  return error instanceof Error && (error.constructor.name === ClickHouseError.name || error.name.startsWith("Chdb"));
}

export interface EngineOptions {
  database: string;
  cluster: string | null;
  /** A shorter way for lines in the TabSeparated format than the client's. */
  insertLines?: (table: string, lines: Buffer) => Promise<void>;
}

/** Speaks to one engine through ClickHouse's own client. */
export function createEngine(client: ClickHouseClient, { database, cluster, insertLines }: EngineOptions): Engine {
  const clusterSettings = cluster === null ? {} : CLUSTER_SETTINGS;
  const bound = (parameters: Parameters): Record<string, unknown> => ({ ...parameters, database });

  async function insertThroughClient(table: string, lines: Buffer): Promise<void> {
    await client.insert({
      table,
      format: "TabSeparated",
      values: Readable.from([lines], { objectMode: false }),
      clickhouse_settings: { ...clusterSettings, max_execution_time: INSERT_TIMEOUT_MS / 1000 },
      abort_signal: AbortSignal.timeout(INSERT_TIMEOUT_MS * 2),
    });
  }

  return {
    cluster,
    query: <Row>(sql: string, parameters: Parameters = {}) =>
      reaching(async () => {
        const result = await client.query({
          query: sql,
          format: "JSONEachRow",
          query_params: bound(parameters),
          clickhouse_settings: { ...QUERY_SETTINGS, ...clusterSettings },
        });
        return await result.json<Row>();
      }),
    command: (sql, parameters = {}) =>
      reaching(async () => {
        await client.command({
          query: sql,
          query_params: bound(parameters),
          clickhouse_settings: { ...COMMAND_SETTINGS, ...clusterSettings },
        });
      }),
    insert: (table, lines) =>
      reaching(() => (insertLines ?? insertThroughClient)(`${database}.${table}`, Buffer.from(lines))),
    close: () => client.close(),
  };
}
