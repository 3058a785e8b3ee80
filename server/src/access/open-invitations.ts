import { createHash } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import type { InvitationsTable, Schema } from "../database/schema.ts";

export type InvitationRow = Selectable<InvitationsTable>;

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
