import pg from "pg";
import { clientConfig } from "./database.ts";

export type NotificationEvent =
  | { type: "notification"; payload: string }
  /**
   * The listening stands, at first or again after a break. What was sent before then was missed: read what it would have
   * told. Follows every `listen` once.
   */
  | { type: "reconnected" };

export type NotificationHandler = (event: NotificationEvent) => void;

export interface Notifications {
  /** Calls the handler for every `NOTIFY` on the channel until the returned function is called. Handlers do not throw. */
  listen(channel: string, handler: NotificationHandler): () => void;
  close(): Promise<void>;
}

export interface NotificationsOptions {
  connection: pg.PoolConfig | string;
  log: (line: string) => void;
  /** The wait before the first new try; it doubles up to 5 s. Default 100 ms. */
  retryMs?: number;
  /** How often the connection is tried; without an answer for as long it counts as broken. Default 10 s. */
  checkMs?: number;
}

const RETRY_MS_MAX = 5_000;

/** `LISTEN` on one connection of its own, which is made anew when it breaks. Connects by itself, and never rejects. */
export function createNotifications(options: NotificationsOptions): Notifications {
  const handlers = new Map<string, Set<NotificationHandler>>();
  const retryMs = options.retryMs ?? 100;
  const checkMs = options.checkMs ?? 10_000;
  /** The one that stands; while there is none, `listen` waits for the next. */
  let standing: { client: pg.Client; send: Send; fail: (reason: string) => void } | undefined;
  let failures = 0;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  let connecting = connect();

  async function connect(): Promise<void> {
    const client = new pg.Client({
      ...clientConfig(options.connection),
      application_name: "docent notifications",
      query_timeout: checkMs,
    });
    let failed = false;
    const fail = (reason: string): void => {
      if (failed || closed) return;
      failed = true;
      standing = undefined;
      options.log(`The connection for notifications broke and is made again: ${reason}`);
      void client.end().catch(() => {});
      const again = (): void => void (connecting = connect());
      retry = setTimeout(again, Math.min(retryMs * 2 ** failures, RETRY_MS_MAX));
      failures += 1;
    };
    client.on("error", (error) => fail(error.message));
    client.on("end", () => fail("it was closed"));
    client.on("notification", ({ channel, payload }) => {
      for (const handler of handlers.get(channel) ?? []) handler({ type: "notification", payload: payload ?? "" });
    });
    try {
      await client.connect();
      if (closed) return await client.end();
      const send = oneAtATime(client);
      standing = { client, send, fail };
      // From here on, `listen` sends its own statement.
      for (const [channel, present] of Array.from(handlers)) await listenOn(send, channel, [...present]);
      failures = 0;
    } catch (error) {
      fail(reasonOf(error));
    }
  }

  async function listenOn(send: Send, channel: string, told: NotificationHandler[]): Promise<void> {
    await send(`listen ${pg.escapeIdentifier(channel)}`);
    for (const handler of told) if (handlers.get(channel)?.has(handler) === true) handler({ type: "reconnected" });
  }

  // A network that swallows packets breaks no connection.
  const check = setInterval(() => {
    const { send, fail } = standing ?? {};
    send?.("select").catch((error: unknown) => fail?.(reasonOf(error)));
  }, checkMs);
  check.unref();

  return {
    listen(channel, handler) {
      // The same function may listen twice.
      const own: NotificationHandler = (event) => handler(event);
      const present = handlers.get(channel) ?? new Set();
      handlers.set(channel, present.add(own));
      const { send, fail } = standing ?? {};
      if (send !== undefined) listenOn(send, channel, [own]).catch((error: unknown) => fail?.(reasonOf(error)));
      return () => {
        present.delete(own);
        if (present.size > 0 || handlers.get(channel) !== present) return;
        handlers.delete(channel);
        standing?.send(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => {});
      };
    },

    async close() {
      closed = true;
      clearTimeout(retry);
      clearInterval(check);
      handlers.clear();
      await connecting;
      await standing?.client.end().catch(() => {});
    },
  };
}

type Send = (statement: string) => Promise<void>;

/** A client takes the next statement when the last one is done: https://node-postgres.com/apis/client */
function oneAtATime(client: pg.Client): Send {
  let last: Promise<void> = Promise.resolve();
  return (statement) => {
    const sent = last.then(async () => void (await client.query(statement)));
    last = sent.catch(() => {});
    return sent;
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
