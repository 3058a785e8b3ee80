import type { Kysely } from "kysely";
import type { ActorType, Schema } from "../database/schema.ts";
import { createId } from "../ids.ts";

/** Who does something, and from where. */
export interface Actor {
  type: ActorType;
  /** Null for the administrator and for Docent itself. */
  id: string | null;
  name: string;
  /** The client's IP address. */
  address: string | null;
}

/** Docent by itself. */
export const SYSTEM: Actor = { type: "system", id: null, name: "Docent", address: null };

export const AUDIT_ACTIONS = [
  "project.created",
  "project.changed",
  "project.deleted",
  "key.created",
  "key.revoked",
  "credential.stored",
  "credential.removed",
  "member.invited",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "invitation.revoked",
  "password.changed",
  "recovery.started",
  "recovery.completed",
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What was done. Nothing secret belongs into it: it is shown to every owner, for ever. */
export interface Act {
  action: AuditAction;
  projectId?: string;
  subject?: { id: string | null; name: string };
  details?: Readonly<Record<string, string>>;
}

export interface AuditEntry {
  id: string;
  at: string;
  actor: { type: ActorType; id: string | null; name: string };
  action: AuditAction;
  projectId: string | null;
  subject: { id: string | null; name: string } | null;
  details: Record<string, string>;
  address: string | null;
}

/**
 * Writes down what somebody did.
 * @param within the transaction that does it: there is no act without its entry, and no entry without its act.
 */
export async function recordAct(within: Kysely<Schema>, at: Date, actor: Actor, act: Act): Promise<void> {
  await within
    .insertInto("audit_log")
    .values({
      id: createId("act", at),
      at,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: actor.name,
      action: act.action,
      project_id: act.projectId ?? null,
      subject_id: act.subject?.id ?? null,
      subject_name: act.subject?.name ?? null,
      details: JSON.stringify(act.details ?? {}),
      address: actor.address,
    })
    .execute();
}

export interface AuditQuery {
  limit: number;
  /** `nextCursor` of the page before. */
  cursor?: string;
  projectId?: string;
}

/** One page of the audit log, newest first. */
export async function listAuditLog(
  database: Kysely<Schema>,
  { limit, cursor, projectId }: AuditQuery,
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  let query = database
    .selectFrom("audit_log")
    .selectAll()
    .orderBy("id", "desc")
    .limit(limit + 1);
  if (cursor !== undefined) query = query.where("id", "<", cursor);
  if (projectId !== undefined) query = query.where("project_id", "=", projectId);
  const rows = await query.execute();
  const entries = rows.slice(0, limit).map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    action: row.action as AuditAction,
    projectId: row.project_id,
    subject: row.subject_name === null ? null : { id: row.subject_id, name: row.subject_name },
    details: row.details,
    address: row.address,
  }));
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
