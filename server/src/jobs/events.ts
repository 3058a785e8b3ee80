import type { Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";
import type { JobDelta, SentDelta } from "./deltas.ts";
import type { JobEvent } from "./job.ts";
import type { JobSignals } from "./signals.ts";

const PAGE_SIZE = 200;

async function readEvents(database: Kysely<Schema>, jobId: string, after: number): Promise<JobEvent[]> {
  const rows = await database
    .selectFrom("job_events")
    .select(["position", "type", "data", "created_at"])
    .where("job_id", "=", jobId)
    .where("position", ">", after)
    .orderBy("position")
    .limit(PAGE_SIZE)
    .execute();
  return rows.map((row) => ({
    position: row.position,
    type: row.type as JobEvent["type"],
    data: row.data,
    createdAt: row.created_at.toISOString(),
  }));
}

/** A consumer that is slower than the model loses the oldest deltas; the stored answer has all of them. */
const DELTAS_WAITING_MAX = 50;

/**
 * A job's events after a position, then each new one once it is stored, without a gap or a repetition, and between them
 * the text of an answer while it is written. Ends when the signal aborts or after the event that says the job is archived.
 */
export async function* followEvents(
  database: Kysely<Schema>,
  signals: Pick<JobSignals, "onJobEvent" | "onJobDelta">,
  jobId: string,
  options: { after: number; signal: AbortSignal },
): AsyncGenerator<JobEvent | JobDelta> {
  let after = options.after;
  /** A delta of an answer up to here comes too late. */
  let answeredAt = 0;
  let deltas: SentDelta[] = [];
  // Raised by every signal, also while a page is being read: what arrives meanwhile is read in the next round.
  let stirred = true;
  let wake = (): void => {};
  const stir = (): void => {
    stirred = true;
    wake();
  };
  const stopListening = [
    signals.onJobEvent((id) => {
      if (id === jobId || id === null) stir();
    }),
    signals.onJobDelta((delta) => {
      if (delta.jobId !== jobId) return;
      deltas = [...deltas, delta].slice(-DELTAS_WAITING_MAX);
      wake();
    }),
  ];
  options.signal.addEventListener("abort", stir);
  try {
    while (!options.signal.aborted) {
      if (!stirred && deltas.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      for (const { after: askedAt, offset, text } of deltas.splice(0)) {
        if (askedAt >= answeredAt && !options.signal.aborted) yield { type: "delta", data: { offset, text } };
      }
      if (!stirred) continue;
      stirred = false;
      for (;;) {
        const events = await readEvents(database, jobId, after);
        for (const event of events) {
          if (options.signal.aborted) return;
          yield event;
          after = event.position;
          if (event.type === "answer") answeredAt = event.position;
          if (event.type === "status" && "status" in event.data && event.data.status === "archived") return;
        }
        if (events.length < PAGE_SIZE) break;
      }
    }
  } finally {
    for (const stop of stopListening) stop();
    options.signal.removeEventListener("abort", stir);
  }
}
