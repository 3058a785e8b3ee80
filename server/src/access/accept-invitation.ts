import { hashPassword } from "better-auth/crypto";
import { sql, type Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";
import { recordAct } from "./audit-log.ts";
import { hasOwner, hashToken, isOffered, selectOpenInvitations, type InvitationRow } from "./open-invitations.ts";
import { insertUser, storePassword, type User } from "./users.ts";

export interface Acceptance {
  /** Needed unless the link is for an account that there is already. */
  name?: string | undefined;
  /** Needed unless the link is bound to one; then it must be that one. */
  email?: string | undefined;
  password: string;
}

/** `not_found`: the link is unknown, used, revoked or expired. `taken`: somebody has that address. */
export type AcceptanceRefusal = "not_found" | "other_email" | "email_missing" | "name_missing" | "taken";

/** Any number that nothing else locks. */
const FIRST_OWNER_LOCK = 7_310_400_002;

/** Makes the account that a link is for, or gives it a new password; the link has then been used. */
export async function acceptInvitation(
  { database, passwordSignIn, clock }: { database: Kysely<Schema>; passwordSignIn: boolean; clock: () => Date },
  { token, acceptance, address }: { token: string; acceptance: Acceptance; address: string },
): Promise<{ user: User } | { refused: AcceptanceRefusal }> {
  const now = clock();
  // Hashing takes a tenth of a second of a processor, which nobody gets for a token that is none.
  const offered = await selectByToken(database, token, now).executeTakeFirst();
  if (offered === undefined || !isOffered(offered, passwordSignIn)) return { refused: "not_found" };
  const passwordHash = await hashPassword(acceptance.password);

  return await database.transaction().execute(async (transaction) => {
    const invitation = await claim(transaction, token, now);
    if (invitation === undefined) return { refused: "not_found" };
    const given = acceptance.email?.toLowerCase();
    if (invitation.email !== null && given !== undefined && given !== invitation.email) {
      return { refused: "other_email" };
    }
    const email = invitation.email ?? given;
    if (email === undefined) return { refused: "email_missing" };
    const recovered =
      invitation.purpose === "recovery" ? await recover(transaction, { email, passwordHash, now }) : undefined;
    const { name } = acceptance;
    if (recovered === undefined && name === undefined) return { refused: "name_missing" };
    const { role } = invitation;
    // With a link for anybody, people may write whose address they like.
    const emailVerified = invitation.email !== null || invitation.purpose !== "invitation";
    const made = { name: name ?? "", email, role, passwordHash, emailVerified };
    const user = recovered ?? (await insertUser(transaction, made, now));
    if (user === undefined) return { refused: "taken" };

    await transaction.updateTable("invitations").set({ accepted_at: now }).where("id", "=", invitation.id).execute();
    await recordAct(
      transaction,
      now,
      { type: "user", id: user.id, name: user.name, address },
      {
        action: invitation.purpose === "recovery" ? "recovery.completed" : "member.joined",
        subject: { id: user.id, name: email },
        details: { role },
      },
    );
    return { user };
  });
}

function selectByToken(within: Kysely<Schema>, token: string, now: Date) {
  return selectOpenInvitations(within, now).selectAll().where("hash", "=", hashToken(token));
}

/** The link's row, locked until the transaction ends; undefined when it does not count any more. */
async function claim(transaction: Kysely<Schema>, token: string, now: Date): Promise<InvitationRow | undefined> {
  const found = await selectByToken(transaction, token, now).forUpdate().executeTakeFirst();
  if (found?.purpose !== "first_owner") return found;
  // Each start made such a link; whoever accepts one waits here for whoever accepts another.
  await sql`select pg_advisory_xact_lock(${FIRST_OWNER_LOCK})`.execute(transaction);
  return (await hasOwner(transaction)) ? undefined : found;
}

/** A new password, the role owner, and no session that is left from before. Undefined without such an account. */
async function recover(
  transaction: Kysely<Schema>,
  { email, passwordHash, now }: { email: string; passwordHash: string; now: Date },
): Promise<User | undefined> {
  const user = await transaction
    .updateTable("users")
    .set({ role: "owner", updated_at: now })
    .where("email", "=", email)
    .returning(["id", "name", "email", "role"])
    .executeTakeFirst();
  if (user === undefined) return undefined;
  await storePassword(transaction, user.id, passwordHash, now);
  await transaction.deleteFrom("sessions").where("user_id", "=", user.id).execute();
  return user;
}
