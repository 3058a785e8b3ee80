import { createHash } from "node:crypto";
import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from "kysely";
import type { InvitationsTable, Schema } from "../database/schema.ts";
import { recordAct, type Actor } from "./audit-log.ts";

export type InvitationRow = Selectable<InvitationsTable>;

/** Stands for the address in links without one. */
export const ANYBODY = "anybody with the link";

/** With 256 random bits in a token nothing slower is needed. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Links that can still be accepted. */
export function selectOpenInvitations(within: Kysely<Schema>, now: Date) {
  return within
    .selectFrom("invitations")
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now);
}

/** Where password sign-in is off, accounts come from elsewhere; all that is left is the way back in. */
export function isOffered({ purpose }: Pick<InvitationRow, "purpose">, passwordSignIn: boolean): boolean {
  return passwordSignIn || purpose === "recovery";
}

export async function hasOwner(within: Kysely<Schema>): Promise<boolean> {
  const owner = await within.selectFrom("users").select("id").where("role", "=", "owner").executeTakeFirst();
  return owner !== undefined;
}

/** Ends those of the open links that `which` chooses, and writes each down. How many they were. */
export async function revokeInvitations(
  transaction: Kysely<Schema>,
  which: (expressions: ExpressionBuilder<Schema, "invitations">) => Expression<SqlBool>,
  { actor, now }: { actor: Actor; now: Date },
): Promise<number> {
  const revoked = await transaction
    .updateTable("invitations")
    .set({ revoked_at: now })
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .where(which)
    .returning(["id", "email", "role"])
    .execute();
  for (const { id, email, role } of revoked) {
    const subject = { id, name: email ?? ANYBODY };
    await recordAct(transaction, now, actor, { action: "invitation.revoked", subject, details: { role } });
  }
  return revoked.length;
}

/**
 * Revokes the links of somebody who may not make any longer: else they would come back through one, with any role. The
 * audit log knows who made which.
 */
export async function revokeInvitationsOf(
  transaction: Kysely<Schema>,
  userId: string,
  by: { actor: Actor; now: Date },
): Promise<void> {
  await revokeInvitations(
    transaction,
    ({ exists, selectFrom }) =>
      exists(
        selectFrom("audit_log")
          .select("audit_log.id")
          .whereRef("subject_id", "=", "invitations.id")
          .where("action", "=", "member.invited")
          .where("actor_type", "=", "user")
          .where("actor_id", "=", userId),
      ),
    by,
  );
}
