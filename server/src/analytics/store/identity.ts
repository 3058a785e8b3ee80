import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Schema } from "../../database/schema.ts";
import { StartError } from "../../start-error.ts";
import type { Engine } from "./engine.ts";

const SETTING = "visits_store";

/**
 * Makes sure that the store and the control data belong together, since each holds half of every count: a directory that was moved or
 * restored without the other would give wrong figures without a word.
 * @throws StartError when they do not
 */
export async function requireSameStore(engine: Engine, database: Kysely<Schema>): Promise<void> {
  const stored = await readIdentity(engine);
  if (stored === undefined && (await isCounting(database))) throw otherStore();
  if (stored === undefined) {
    await database
      .insertInto("settings")
      .values({ name: SETTING, value: JSON.stringify({ identity: randomUUID() }) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const known = await database.selectFrom("settings").select("value").where("name", "=", SETTING).executeTakeFirst();
  const identity = known === undefined ? undefined : (known.value as { identity: string }).identity;
  // Several processes may write it at once: it is the same.
  if (stored === undefined) await engine.insert("identity", `${identity ?? ""}\n`);
  // A new PostgreSQL would give out the numbers of this store's batches again.
  else if (stored !== identity) throw otherStore();
}

async function readIdentity(engine: Engine): Promise<string | undefined> {
  const rows = await engine.query<{ identity: string }>("select identity from {database:Identifier}.identity limit 1");
  return rows[0]?.identity;
}

async function isCounting(database: Kysely<Schema>): Promise<boolean> {
  const row = await database
    .selectFrom("analytics_counts")
    .select("project_id")
    .unionAll(database.selectFrom("analytics_batches").select("project_id"))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function otherStore(): StartError {
  return new StartError(
    "The visits in this store do not belong to this PostgreSQL: the two are kept, moved and restored together. Give the data directory " +
      "(or CLICKHOUSE_URL) that was used with it.",
  );
}
