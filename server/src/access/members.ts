import type { Kysely } from "kysely";
import type { Role, Schema } from "../database/schema.ts";
import { recordAct, type Actor } from "./audit-log.ts";
import { revokeInvitationsOf } from "./open-invitations.ts";

/** Somebody who may sign in, as owners see them. */
export interface Member {
  id: string;
  name: string;
  email: string;
  role: Role;
  createdAt: string;
  /** Of a session that has not ended; null without one. To a few minutes. */
  lastSeenAt: string | null;
  hasPassword: boolean;
  /** They sign in at the OIDC provider, and their role follows their groups there. */
  hasOidc: boolean;
}

/** `last_owner`: somebody must stay who can let others in. */
export type MemberRefusal = "not_found" | "last_owner";

export interface Members {
  /** By name. */
  list(): Promise<Member[]>;
  changeRole(id: string, role: Role, actor: Actor): Promise<Member | { refused: MemberRefusal }>;
  /** Ends their sessions at once, and revokes the invitations that they made. */
  remove(id: string, actor: Actor): Promise<{ removed: true } | { refused: MemberRefusal }>;
}

export function createMembers({ database, clock }: { database: Kysely<Schema>; clock: () => Date }): Members {
  function selectMembers(within: Kysely<Schema> = database) {
    return within.selectFrom("users").select((select) => [
      "users.id",
      "users.name",
      "users.email",
      "users.role",
      "users.created_at",
      select
        .selectFrom("sessions")
        .whereRef("sessions.user_id", "=", "users.id")
        .where("expires_at", ">", clock())
        .select(({ fn }) => fn.max("sessions.updated_at").as("at"))
        .as("last_seen_at"),
      select
        .selectFrom("accounts")
        .whereRef("accounts.user_id", "=", "users.id")
        .select(({ fn }) => fn.agg<string[] | null>("array_agg", ["provider_id"]).as("providers"))
        .as("providers"),
    ]);
  }

  type Row = Awaited<ReturnType<ReturnType<typeof selectMembers>["executeTakeFirstOrThrow"]>>;

  function toMember(row: Row): Member {
    const providers = row.providers ?? [];
    return {
      id: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
      hasPassword: providers.includes("credential"),
      hasOidc: providers.some((provider) => provider !== "credential"),
    };
  }

  /** Locks every owner, so that of two who remove each other one is refused. */
  async function isLastOwner(transaction: Kysely<Schema>, id: string): Promise<boolean> {
    const owners = await transaction
      .selectFrom("users")
      .select("id")
      .where("role", "=", "owner")
      .orderBy("id")
      .forUpdate()
      .execute();
    return owners.length === 1 && owners[0]?.id === id;
  }

  return {
    async list() {
      return (await selectMembers().orderBy("users.name").orderBy("users.id").execute()).map(toMember);
    },

    async changeRole(id, role, actor) {
      return await database.transaction().execute(async (transaction) => {
        const lastOwner = role !== "owner" && (await isLastOwner(transaction, id));
        const before = await selectMembers(transaction)
          .where("users.id", "=", id)
          .forUpdate("users")
          .executeTakeFirst();
        if (before === undefined) return { refused: "not_found" };
        if (lastOwner) return { refused: "last_owner" };
        if (before.role === role) return toMember(before);
        const now = clock();
        await transaction.updateTable("users").set({ role, updated_at: now }).where("id", "=", id).execute();
        await recordAct(transaction, now, actor, {
          action: "member.role_changed",
          subject: { id, name: before.email },
          details: { from: before.role, to: role },
        });
        if (before.role === "owner") await revokeInvitationsOf(transaction, id, { actor, now });
        return toMember({ ...before, role });
      });
    },

    async remove(id, actor) {
      return await database.transaction().execute(async (transaction) => {
        if (await isLastOwner(transaction, id)) return { refused: "last_owner" };
        // Sessions and ways to sign in go with it.
        const removed = await transaction
          .deleteFrom("users")
          .where("id", "=", id)
          .returning(["email", "role"])
          .executeTakeFirst();
        if (removed === undefined) return { refused: "not_found" };
        const now = clock();
        await recordAct(transaction, now, actor, {
          action: "member.removed",
          subject: { id, name: removed.email },
          details: { role: removed.role },
        });
        await revokeInvitationsOf(transaction, id, { actor, now });
        return { removed: true };
      });
    },
  };
}
