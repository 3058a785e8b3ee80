import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { clientConfig } from "./database.ts";

export interface Ownership {
  /** Lets the next owner in. */
  release(): Promise<void>;
}

export interface OwnershipOptions {
  connection: pg.PoolConfig | string;
  /** What is owned, such as "serve"; one owner for each name in a database. */
  name: string;
  /**
   * Called once when the connection that holds the lock breaks: another process may be the owner from now on, so this one
   * must stop at once.
   */
  onLost: (reason: string) => void;
  /** How often the connection is tried; without an answer for as long it counts as broken. Default 5 s. */
  checkMs?: number;
}

/** How long a claim waits for a lock that is being given up: a killed owner's connection ends within milliseconds. */
const CLAIM_TIMEOUT_MS = 500;
const POLL_MS = 25;

/**
 * Claims something for this process alone with a PostgreSQL advisory lock on a connection of its own, which ends with the process
 * however that ends. (It needs a session of its own, so no transaction-pooling proxy in between.)
 * @returns the ownership, or who has it: "process 4711 on docs-1".
 */
export async function claimOwnership(options: OwnershipOptions): Promise<Ownership | { ownedBy: string }> {
  const checkMs = options.checkMs ?? 5_000;
  const client = new pg.Client({
    ...clientConfig(options.connection),
    // The lock's row in pg_stat_activity names its owner: it is there exactly as long as the owner is. At most 63 bytes.
    application_name: `docent ${process.pid} ${hostname().slice(0, 40)}`,
    query_timeout: checkMs,
  });
  let released = false;
  let lost = false;
  let check: NodeJS.Timeout | undefined;
  const lose = (reason: string): void => {
    if (released || lost) return;
    lost = true;
    clearInterval(check);
    options.onLost(reason);
  };
  let owned = false;
  client.on("error", (error) => owned && lose(error.message));
  client.on("end", () => owned && lose("the connection was closed"));

  await client.connect();
  try {
    // A machine that vanished (rather than a process that died) is noticed after 11 s; does nothing on a Unix socket.
    await client.query("set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3");
    const [high, low] = lockKey(options.name);
    const deadline = performance.now() + CLAIM_TIMEOUT_MS;
    for (;;) {
      const { rows } = await client.query<{ owned: boolean }>("select pg_try_advisory_lock($1, $2) as owned", [
        high,
        low,
      ]);
      owned = rows[0]?.owned === true;
      if (owned) break;
      const ownedBy = await findOwner(client, high, low);
      if (performance.now() > deadline && ownedBy !== undefined) {
        await client.end();
        return { ownedBy };
      }
      await delay(POLL_MS);
    }
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }

  // A network that swallows packets breaks no connection, while the server gives the lock away after 11 s.
  check = setInterval(() => {
    client.query("select").catch((error: unknown) => lose(error instanceof Error ? error.message : String(error)));
  }, checkMs);
  check.unref();

  return {
    async release() {
      released = true;
      clearInterval(check);
      await client.end().catch(() => {});
    },
  };
}

async function findOwner(client: pg.Client, high: number, low: number): Promise<string | undefined> {
  const { rows } = await client.query<{ application_name: string | null }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 2 and database = (select oid from pg_database where datname = current_database())
       and classid::bigint = $1::bigint & 4294967295 and objid::bigint = $2::bigint & 4294967295`,
    [high, low],
  );
  const owner = rows[0];
  if (owner === undefined) return undefined;
  const [, pid, host] = /^docent (\d+) (.+)$/.exec(owner.application_name ?? "") ?? [];
  return pid === undefined ? "another program" : `process ${pid} on ${host}`;
}

/** Two signed 32-bit numbers. PostgreSQL keeps them apart from the locks with one 64-bit number, which the migration takes. */
function lockKey(name: string): [number, number] {
  const hash = createHash("sha256").update(`docent ownership ${name}`).digest();
  return [hash.readInt32BE(0), hash.readInt32BE(4)];
}
