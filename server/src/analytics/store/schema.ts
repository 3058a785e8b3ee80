import type { Engine } from "./engine.ts";
import { loadSql } from "./sql.ts";

const TABLES = {
  views: { text: loadSql(import.meta.url, "./schema/views.sql"), shardBy: "visitor" },
  identity: { text: loadSql(import.meta.url, "./schema/identity.sql"), shardBy: "cityHash64(identity)" },
  counts: { text: loadSql(import.meta.url, "./schema/counts.sql"), shardBy: "cityHash64(key)" },
} as const;

export type Table = keyof typeof TABLES;

/**
 * The statements that make the tables. With a cluster each table is replicated on its nodes as `<name>_local` and reached through
 * a distributed table of the plain name: one visitor's views lie on one shard.
 */
export function describeSchema(cluster: string | null): string[] {
  const onCluster = cluster === null ? "" : ` on cluster ${quoted(cluster)}`;
  const database = `create database if not exists {database:Identifier}${onCluster}`;
  const tables = Object.entries(TABLES).flatMap(([name, { text, shardBy }]) => {
    if (cluster === null) return [text];
    const local = text
      .replace(`{database:Identifier}.${name}`, `{database:Identifier}.${name}_local${onCluster}`)
      .replace("engine = MergeTree", "engine = ReplicatedMergeTree");
    const distributed = `create table if not exists {database:Identifier}.${name}${onCluster} as {database:Identifier}.${name}_local
engine = Distributed(${quoted(cluster)}, {database:Identifier}, ${name}_local, ${shardBy})`;
    return [local, distributed];
  });
  return [database, ...tables];
}

/** Makes what is not there yet. Several processes may do so at once. */
export async function createSchema(engine: Engine): Promise<void> {
  for (const statement of describeSchema(engine.cluster)) await engine.command(statement);
}

/** How the rows themselves are named in `alter table`, where a distributed table will not do. */
export function storedTable(engine: Engine, table: Table): string {
  return engine.cluster === null
    ? `{database:Identifier}.${table}`
    : `{database:Identifier}.${table}_local on cluster ${quoted(engine.cluster)}`;
}

function quoted(name: string): string {
  return `'${name.replaceAll(/['\\]/g, "\\$&")}'`;
}
