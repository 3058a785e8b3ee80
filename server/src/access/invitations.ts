import { randomBytes } from "node:crypto";
import type { ExpressionBuilder, Kysely } from "kysely";
import type { InvitationPurpose, Role, Schema } from "../database/schema.ts";
import { createId } from "../ids.ts";
import { acceptInvitation, type Acceptance, type AcceptanceRefusal } from "./accept-invitation.ts";
import { recordAct, SYSTEM, type Actor } from "./audit-log.ts";
import {
  ANYBODY,
  hasOwner,
  hashToken,
  isOffered,
  revokeInvitations,
  selectOpenInvitations,
  type InvitationRow,
} from "./open-invitations.ts";
import type { User } from "./users.ts";

/** A link with which somebody makes their account, or a new password for it. */
export interface Invitation {
  id: string;
  role: Role;
  /** The only address that may accept it; null for any. */
  email: string | null;
  purpose: InvitationPurpose;
  /** Who made it. */
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
}

/** `url` holds the token, which is shown here and never again. */
export type NewInvitation = Invitation & { url: string };

/** What the holder of a link is told before accepting it. */
export interface OfferedInvitation {
  role: Role;
  email: string | null;
  /** It gives an account that there is already a new password. */
  resetsPassword: boolean;
  expiresAt: string;
}

export interface Invitations {
  create(invitation: { role: Role; email?: string | null }, actor: Actor): Promise<NewInvitation>;
  /** Those that somebody made and that can still be accepted, newest first. */
  list(): Promise<Invitation[]>;
  /** False when there is none that could be accepted. */
  revoke(id: string, actor: Actor): Promise<boolean>;
  /** Undefined when it can not be accepted any more. */
  lookUp(token: string): Promise<OfferedInvitation | undefined>;
  /** Once: of two at the same time, one finds the link used. */
  accept(
    token: string,
    acceptance: Acceptance,
    address: string,
  ): Promise<{ user: User } | { refused: AcceptanceRefusal }>;
  /** A link that makes the first owner; undefined once there is an owner, and where people sign in elsewhere. */
  inviteFirstOwner(): Promise<NewInvitation | undefined>;
  /**
   * A link that makes the holder of this address an owner with a new password, whether or not there is an account. One
   * that was made before for the same address ends.
   */
  recoverOwner(email: string, actor: Actor): Promise<NewInvitation>;
}

const VALID_MS = 7 * 86_400_000;
const RECOVERY_VALID_MS = 86_400_000;

/** Links that let somebody in, each for one use. Only a hash of their token is stored. */
export function createInvitations(dependencies: {
  database: Kysely<Schema>;
  publicUrl: string;
  /** Without it the only links are those that let an owner in again. */
  passwordSignIn: boolean;
  clock: () => Date;
}): Invitations {
  const { database, publicUrl, passwordSignIn, clock } = dependencies;

  async function hasUser(email: string): Promise<boolean> {
    const user = await database.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
    return user !== undefined;
  }

  async function insert(
    within: Kysely<Schema>,
    { role, email, purpose, actor }: { role: Role; email: string | null; purpose: InvitationPurpose; actor: Actor },
  ): Promise<NewInvitation> {
    const token = randomBytes(32).toString("base64url");
    const now = clock();
    const row = await within
      .insertInto("invitations")
      .values({
        id: createId("inv", now),
        hash: hashToken(token),
        purpose,
        role,
        email: email?.toLowerCase() ?? null,
        invited_by: actor.name,
        created_at: now,
        expires_at: new Date(now.getTime() + (purpose === "recovery" ? RECOVERY_VALID_MS : VALID_MS)),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...toInvitation(row), url: `${publicUrl}/invitation#${token}` };
  }

  return {
    async create({ role, email = null }, actor) {
      return await database.transaction().execute(async (transaction) => {
        const made = await insert(transaction, { role, email, purpose: "invitation", actor });
        const subject = { id: made.id, name: made.email ?? ANYBODY };
        await recordAct(transaction, clock(), actor, { action: "member.invited", subject, details: { role } });
        return made;
      });
    },

    async list() {
      const open = await selectOpenInvitations(database, clock())
        .selectAll()
        .where("purpose", "!=", "first_owner")
        .orderBy("id", "desc")
        .execute();
      return open.map(toInvitation);
    },

    async revoke(id, actor) {
      return await database.transaction().execute(async (transaction) => {
        const by = { actor, now: clock() };
        return (await revokeInvitations(transaction, (open) => open("id", "=", id), by)) > 0;
      });
    },

    async lookUp(token) {
      const row = await selectOpenInvitations(database, clock())
        .selectAll()
        .where("hash", "=", hashToken(token))
        .executeTakeFirst();
      if (row === undefined || !isOffered(row, passwordSignIn)) return undefined;
      if (row.purpose === "first_owner" && (await hasOwner(database))) return undefined;
      const { role, email, expires_at: expiresAt } = row;
      const resetsPassword = row.purpose === "recovery" && email !== null && (await hasUser(email));
      return { role, email, resetsPassword, expiresAt: expiresAt.toISOString() };
    },

    accept: (token, acceptance, address) =>
      acceptInvitation({ database, passwordSignIn, clock }, { token, acceptance, address }),

    async inviteFirstOwner() {
      if (!passwordSignIn || (await hasOwner(database))) return undefined;
      return await insert(database, { role: "owner", email: null, purpose: "first_owner", actor: SYSTEM });
    },

    async recoverOwner(email, actor) {
      return await database.transaction().execute(async (transaction) => {
        // Whoever asks again has lost the link before, or it went astray.
        const ofSameAddress = (open: ExpressionBuilder<Schema, "invitations">) =>
          open.and({ purpose: "recovery", email: email.toLowerCase() });
        await revokeInvitations(transaction, ofSameAddress, { actor, now: clock() });
        const made = await insert(transaction, { role: "owner", email, purpose: "recovery", actor });
        const subject = { id: made.id, name: made.email ?? email };
        await recordAct(transaction, clock(), actor, { action: "recovery.started", subject });
        return made;
      });
    },
  };
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    role: row.role,
    email: row.email,
    purpose: row.purpose,
    invitedBy: row.invited_by ?? SYSTEM.name,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}
