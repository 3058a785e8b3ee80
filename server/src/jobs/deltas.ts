import { sql, type Kysely } from "kysely";
import { sanitizeText } from "../agent/sanitize.ts";
import type { Schema } from "../database/schema.ts";

/** Text of an answer while the model writes it. It is stored nowhere; the stored answer has all of it. */
export interface JobDelta {
  type: "delta";
  data: {
    /** How many UTF-16 units of this answer came before. 0 begins anew. */
    offset: number;
    text: string;
  };
}

/** A delta on its way from the worker to those who follow the job. */
export interface SentDelta {
  jobId: string;
  /** The position of the job's last event when the model was asked. */
  after: number;
  offset: number;
  text: string;
}

const PAUSE_MS = 250;
/** PostgreSQL takes payloads below 8,000 bytes; JSON makes at most six of a unit. */
const UNITS_MAX = 1_200;

export interface DeltaSender {
  /** Text as it comes. Null: what was sent came to nothing. */
  write(text: string | null): void;
  /** Sends nothing any more. What is on its way has left when it returns. */
  close(): Promise<void>;
}

/**
 * Sends an answer's text about four times a second through `NOTIFY`, so that it reaches every process. The first text waits
 * like any other: an answer that is there within the pause needs no statement. Never fails.
 */
export function createDeltaSender(database: Kysely<Schema>, answer: { jobId: string; after: number }): DeltaSender {
  let pending = "";
  let offset = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();
  let closed = false;

  function send(): void {
    timer = undefined;
    // Half a surrogate pair at the end waits for its other half.
    const end = /[\uD800-\uDBFF]$/.test(pending) ? pending.length - 1 : pending.length;
    const payloads: string[] = [];
    for (const text of piecesOf(sanitizeText(pending.slice(0, end)))) {
      payloads.push(JSON.stringify({ ...answer, offset, text } satisfies SentDelta));
      offset += text.length;
    }
    pending = pending.slice(end);
    if (payloads.length === 0) return;
    const notify = sql`select pg_notify('job_deltas', payload) from unnest(${payloads}::text[]) as payload`;
    sending = sending.then(() => notify.execute(database)).catch(() => {});
    timer = setTimeout(send, PAUSE_MS);
  }

  return {
    write(text) {
      if (closed) return;
      if (text === null) {
        pending = "";
        offset = 0;
        return;
      }
      pending += text;
      timer ??= setTimeout(send, PAUSE_MS);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await sending;
    },
  };
}

/** In pieces that a notification holds. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + UNITS_MAX;
    const cutsPair = end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? "");
    const piece = text.slice(start, cutsPair ? end - 1 : end);
    yield piece;
    start += piece.length;
  }
}
