import type { Kysely } from "kysely";
import type { GroupRole } from "../../config/parsers.ts";
import type { Role, Schema } from "../../database/schema.ts";
import { createId } from "../../ids.ts";
import { recordAct, type Actor } from "../audit-log.ts";
import { revokeInvitationsOf } from "../open-invitations.ts";
import { insertUser, ROLES, type User } from "../users.ts";
import type { Claims } from "./provider.ts";

export interface AdmissionRules {
  issuer: string;
  /** The provider's name for people. */
  name: string;
  groupsClaim: string;
  roles: readonly GroupRole[];
}

/**
 * `no_role`: none of their groups has one. `no_email`: the provider does not say their address. `email_taken`: somebody has an
 * account with that address, and it is not certain that it is the same person.
 */
export type AdmissionRefusal = "no_role" | "no_email" | "email_taken";

/** The highest role that somebody's groups have. */
export function roleOf(claims: Readonly<Record<string, unknown>>, { groupsClaim, roles }: AdmissionRules): Role | null {
  const groups = new Set([claims[groupsClaim]].flat().filter((group) => typeof group === "string"));
  const given = roles.filter(({ group }) => group === "*" || groups.has(group)).map(({ role }) => role);
  return ROLES.findLast((role) => given.includes(role)) ?? null;
}

/**
 * The account of somebody who has signed in at the provider, with the role that their groups have now; it is made at
 * the first time. An account that is there already becomes theirs when its address is certain on both sides.
 */
export async function admit(
  database: Kysely<Schema>,
  rules: AdmissionRules,
  { claims, address, now }: { claims: Claims; address: string; now: Date },
): Promise<{ user: User } | { refused: AdmissionRefusal }> {
  const { issuer } = rules;
  const role = roleOf(claims, rules);
  const provider: Actor = { type: "system", id: null, name: rules.name, address };
  return await database.transaction().execute(async (transaction) => {
    const known = await selectUsers(transaction)
      .innerJoin("accounts", "accounts.user_id", "users.id")
      .where("provider_id", "=", issuer)
      .where("account_id", "=", claims.sub)
      .executeTakeFirst();
    if (role === null) {
      // Whatever they were signed in with before is over as well.
      if (known !== undefined) {
        await transaction.deleteFrom("sessions").where("user_id", "=", known.id).execute();
        await revokeInvitationsOf(transaction, known.id, { actor: provider, now });
      }
      return { refused: "no_role" };
    }
    if (known !== undefined) return { user: await follow(transaction, known, role) };

    const email = typeof claims["email"] === "string" ? claims["email"].trim().toLowerCase() : "";
    if (email === "") return { refused: "no_email" };
    const isVerified = claims["email_verified"] === true;
    const made = await insertUser(
      transaction,
      { name: nameOf(claims, email), email, role, passwordHash: null, emailVerified: isVerified },
      now,
    );
    if (made !== undefined) {
      await link(transaction, made.id);
      await recordAct(
        transaction,
        now,
        { type: "user", id: made.id, name: made.name, address },
        { action: "member.joined", subject: { id: made.id, name: email }, details: { role, from: rules.name } },
      );
      return { user: made };
    }
    const other = await selectUsers(transaction).where("email", "=", email).executeTakeFirst();
    // Else somebody could wait here with another's address, made up at either side, for them to come.
    if (other?.email_verified !== true || !isVerified) return { refused: "email_taken" };
    await link(transaction, other.id);
    return { user: await follow(transaction, other, role) };
  });

  async function link(transaction: Kysely<Schema>, userId: string): Promise<void> {
    const account = { id: createId("acc", now), user_id: userId, provider_id: issuer, account_id: claims.sub };
    const nothing = { password: null, access_token: null, refresh_token: null, id_token: null, scope: null };
    await transaction
      .insertInto("accounts")
      .values({ ...account, ...nothing, created_at: now, updated_at: now })
      // Two browsers may sign somebody in for the first time at once.
      .onConflict((conflict) => conflict.columns(["provider_id", "account_id"]).doNothing())
      .execute();
  }

  async function follow(transaction: Kysely<Schema>, before: User, next: Role): Promise<User> {
    const { id, name, email } = before;
    const user = { id, name, email, role: next };
    if (before.role === next) return user;
    await transaction.updateTable("users").set({ role: next, updated_at: now }).where("id", "=", id).execute();
    await recordAct(transaction, now, provider, {
      action: "member.role_changed",
      subject: { id, name: email },
      details: { from: before.role, to: next },
    });
    if (before.role === "owner") await revokeInvitationsOf(transaction, id, { actor: provider, now });
    return user;
  }
}

function selectUsers(transaction: Kysely<Schema>) {
  return transaction
    .selectFrom("users")
    .select(["users.id", "users.name", "users.email", "users.role", "users.email_verified"])
    .forUpdate("users");
}

const NAME_CHARACTERS_MAX = 200;

function nameOf(claims: Claims, email: string): string {
  const given = [claims["name"], claims["preferred_username"]].find(
    (name) => typeof name === "string" && name.trim() !== "",
  );
  const name = typeof given === "string" ? given.replaceAll(/\p{Cc}/gu, " ").trim() : email;
  return name.slice(0, NAME_CHARACTERS_MAX).toWellFormed();
}
