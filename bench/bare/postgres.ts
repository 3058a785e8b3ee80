import { join } from "node:path";
import { connectDatabase } from "../../server/src/database/database.ts";
import { startEmbeddedPostgres } from "../../server/src/database/embedded.ts";
import { ratePerSecond, timeEach } from "../statistics.ts";

const CONNECTIONS = 8;

/**
 * What a durable insert of one row costs here, in the PostgreSQL that the service embeds, with its settings.
 * @returns milliseconds of each, one after another, and how many per second eight connections make.
 */
export async function measureBareInserts(
  directory: string,
  count: number,
): Promise<{ times: number[]; perSecond: number }> {
  const log = (): void => {};
  const server = await startEmbeddedPostgres({ directory: join(directory, "bare-postgres"), log });
  const { pool, close } = connectDatabase({ connection: server.connection, log, connectionsMax: CONNECTIONS });
  try {
    await pool.query("create table inserts (id bigserial primary key, body text not null)");
    const insert = (): Promise<unknown> => pool.query("insert into inserts (body) values ($1)", ["a".repeat(500)]);
    await ratePerSecond(CONNECTIONS * 10, CONNECTIONS, insert);
    const times = await timeEach(count, insert);
    return { times, perSecond: await ratePerSecond(count * 8, CONNECTIONS, insert) };
  } finally {
    await close();
    await server.stop();
  }
}
