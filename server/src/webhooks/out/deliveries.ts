import { sql, type Kysely, type Selectable } from "kysely";
import type { JobStatus, Schema, WebhookDeliveriesTable, WebhookPayload } from "../../database/schema.ts";
import { AT_ONCE, DELIVERIES_CHANNEL } from "./outbox.ts";

/** For how many days deliveries, and the receipts of those that came in, are remembered. */
const KEPT_DAYS = 30;

/** A delivery as the API answers it. Timestamps are ISO 8601 UTC. */
export interface DeliveryRecord {
  /** The `webhook-id` that the receiver sees. */
  id: string;
  jobId: string;
  type: `job.${JobStatus}`;
  state: "waiting" | "delivered" | "failed";
  attempts: number;
  /** Null unless it waits. */
  nextAttemptAt: string | null;
  /** Of the last attempt; null when no answer came. */
  responseStatus: number | null;
  error: string | null;
  createdAt: string;
  /** When it was delivered or given up. */
  endedAt: string | null;
  payload: WebhookPayload;
}

export interface Deliveries {
  /** Newest first. Undefined when there is no such project. */
  list(
    projectId: string,
    page: { limit: number; cursor?: string; state?: DeliveryRecord["state"] },
  ): Promise<{ deliveries: DeliveryRecord[]; nextCursor: string | null } | undefined>;
  /** Sends it once more, with all attempts before it. Undefined when there is none. */
  redeliver(projectId: string, deliveryId: string): Promise<DeliveryRecord | undefined>;
  /** Forgets what is old. */
  forget(): Promise<void>;
}

export function createDeliveries({ database, clock }: { database: Kysely<Schema>; clock: () => Date }): Deliveries {
  return {
    async list(projectId, { limit, cursor, state }) {
      if (!(await projectExists(database, projectId))) return undefined;
      let query = database
        .selectFrom("webhook_deliveries")
        .selectAll()
        .where("project_id", "=", projectId)
        .orderBy("id", "desc")
        .limit(limit + 1);
      if (cursor !== undefined) query = query.where("id", "<", cursor);
      if (state !== undefined) query = query.where("state", "=", state);
      const rows = await query.execute();
      const page = rows.slice(0, limit);
      return { deliveries: page.map(toRecord), nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
    },

    async redeliver(projectId, deliveryId) {
      if (!(await projectExists(database, projectId))) return undefined;
      const row = await database.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable("webhook_deliveries")
          .set({ state: "waiting", attempts: 0, next_attempt_at: AT_ONCE, ended_at: null })
          .where("id", "=", deliveryId)
          .where("project_id", "=", projectId)
          .returningAll()
          .executeTakeFirst();
        await sql`select pg_notify(${DELIVERIES_CHANNEL}, '')`.execute(transaction);
        return changed;
      });
      return row && toRecord(row);
    },

    async forget() {
      const before = new Date(clock().getTime() - KEPT_DAYS * 86_400_000);
      await database
        .deleteFrom("webhook_deliveries")
        .where("created_at", "<", before)
        .where("state", "!=", "waiting")
        .execute();
      await database.deleteFrom("webhook_receipts").where("received_at", "<", before).execute();
    },
  };
}

async function projectExists(database: Kysely<Schema>, id: string): Promise<boolean> {
  const project = await database
    .selectFrom("projects")
    .select("id")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return project !== undefined;
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

function toRecord(row: Selectable<WebhookDeliveriesTable>): DeliveryRecord {
  return {
    id: row.id,
    jobId: row.job_id,
    type: row.type as DeliveryRecord["type"],
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.state === "waiting" ? later(row.next_attempt_at, row.created_at).toISOString() : null,
    responseStatus: row.response_status,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    payload: { type: row.payload.type, timestamp: row.payload.timestamp, data: row.payload.data },
  };
}
