import type { Kysely } from "kysely";
import type { Role, Schema } from "../database/schema.ts";
import { createId } from "../ids.ts";

/** Somebody who may sign in. */
export interface User {
  id: string;
  name: string;
  email: string;
  role: Role;
}

export const ROLES: readonly Role[] = ["viewer", "editor", "owner"];

/** The way to sign in with a password, among a user's accounts. */
const PASSWORD_PROVIDER = "credential";

export interface NewUser {
  name: string;
  email: string;
  role: Role;
  /** Null for people who sign in elsewhere. */
  passwordHash: string | null;
  /** Somebody who knows has said that the address is theirs. */
  emailVerified: boolean;
}

/** Undefined when the e-mail address is taken. */
export async function insertUser(
  within: Kysely<Schema>,
  { name, email, role, passwordHash, emailVerified }: NewUser,
  now: Date,
): Promise<User | undefined> {
  const user = { id: createId("usr", now), name, email: email.toLowerCase(), role };
  const inserted = await within
    .insertInto("users")
    .values({ ...user, email_verified: emailVerified, image: null, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return undefined;
  if (passwordHash !== null) await storePassword(within, user.id, passwordHash, now);
  return user;
}

/** In place of the password before, where there was one. */
export async function storePassword(within: Kysely<Schema>, userId: string, hash: string, now: Date): Promise<void> {
  await within
    .insertInto("accounts")
    .values({
      id: createId("acc", now),
      user_id: userId,
      provider_id: PASSWORD_PROVIDER,
      account_id: userId,
      password: hash,
      access_token: null,
      refresh_token: null,
      id_token: null,
      scope: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["provider_id", "account_id"]).doUpdateSet({ password: hash, updated_at: now }),
    )
    .execute();
}

/** Undefined for people who have none. */
export async function readPasswordHash(within: Kysely<Schema>, userId: string): Promise<string | undefined> {
  const row = await within
    .selectFrom("accounts")
    .select("password")
    .where("user_id", "=", userId)
    .where("provider_id", "=", PASSWORD_PROVIDER)
    .executeTakeFirst();
  return row?.password ?? undefined;
}
