import { sql, type Kysely } from "kysely";
import type { Schema, WebhookPayload } from "../../database/schema.ts";
import { AT_ONCE } from "./outbox.ts";
import type { Attempt } from "./send.ts";
import { waitAfter } from "./retry.ts";

/** An attempt that has not ended after this long belongs to a process that died: another one takes it. */
export const LEASE_MS = 60_000;
/** A delivery that failed this often no longer holds back what came after it. */
const ORDERED_ATTEMPTS = 3;

export interface ClaimedDelivery {
  id: string;
  project_id: string;
  payload: WebhookPayload;
  /** This one included. */
  attempts: number;
  /** Null when the project has none any more. */
  url: string | null;
}

/**
 * Takes the next delivery that is due, for one attempt. A job's deliveries go in the order of its events: one waits until
 * those before it were delivered, were given up, or have failed a few times.
 * @param busyProjects that have enough attempts under way
 */
export async function claimDelivery(
  database: Kysely<Schema>,
  { now, busyProjects }: { now: Date; busyProjects: readonly string[] },
): Promise<ClaimedDelivery | undefined> {
  const claimed = await sql<ClaimedDelivery>`
    update webhook_deliveries as delivery set
      attempts = attempts + 1,
      next_attempt_at = ${new Date(now.getTime() + LEASE_MS)}
    from projects
    where projects.id = delivery.project_id and delivery.id = (
      select due.id from webhook_deliveries as due
      where due.state = 'waiting'
        and due.next_attempt_at <= ${now}
        and due.project_id <> all(${[...busyProjects]}::text[])
        and not exists (
          select from webhook_deliveries as earlier
          where earlier.job_id = due.job_id and earlier.position < due.position
            and earlier.state = 'waiting' and earlier.attempts < ${ORDERED_ATTEMPTS}
        )
      order by due.next_attempt_at, due.id
      limit 1
      for update skip locked
    )
    returning delivery.id, delivery.project_id, delivery.payload, delivery.attempts,
      case when projects.deleted_at is null then projects.settings ->> 'webhookUrl' end as url`.execute(database);
  return claimed.rows[0];
}

/** Records what came of an attempt. A success counts even when another process has taken the delivery meanwhile. */
export async function recordAttempt(
  database: Kysely<Schema>,
  { id, attempts }: Pick<ClaimedDelivery, "id" | "attempts">,
  attempt: Attempt,
  { now, random }: { now: Date; random: () => number },
): Promise<void> {
  const waiting = database.updateTable("webhook_deliveries").where("id", "=", id).where("state", "=", "waiting");
  if ("delivered" in attempt) {
    const { status } = attempt.delivered;
    await waiting.set({ state: "delivered", response_status: status, error: null, ended_at: now }).execute();
    return;
  }
  const { error, status, retryAfterMs, isGone } = attempt.failed;
  const waitMs = isGone ? null : waitAfter(attempts, retryAfterMs, random);
  await waiting
    .where("attempts", "=", attempts)
    .set({
      response_status: status,
      error,
      ...(waitMs === null ? { state: "failed", ended_at: now } : { next_attempt_at: new Date(now.getTime() + waitMs) }),
    })
    .execute();
}

/** Hands an attempt back that was broken off here: it is due at once, and not counted. */
export async function releaseDelivery(
  database: Kysely<Schema>,
  { id, attempts }: Pick<ClaimedDelivery, "id" | "attempts">,
): Promise<void> {
  await database
    .updateTable("webhook_deliveries")
    .set({ attempts: attempts - 1, next_attempt_at: AT_ONCE })
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .where("attempts", "=", attempts)
    .execute();
}
