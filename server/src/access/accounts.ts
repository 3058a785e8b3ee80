import { hashPassword, verifyPassword } from "better-auth/crypto";
import type { Kysely } from "kysely";
import type { Schema } from "../database/schema.ts";
import { recordAct, type Actor } from "./audit-log.ts";
import { readPasswordHash, storePassword } from "./users.ts";

/** A browser that somebody is signed in with. */
export interface OpenSession {
  id: string;
  userAgent: string | null;
  address: string | null;
  createdAt: string;
  /** To a few minutes. */
  lastSeenAt: string;
  expiresAt: string;
}

/** What people change of themselves. */
export interface Accounts {
  hasPassword(userId: string): Promise<boolean>;
  rename(userId: string, name: string): Promise<void>;
  /**
   * Ends every other session. `wrong`: the present password is another one. `none`: there is none, they sign in elsewhere.
   * @param by.sessionId the session that goes on.
   */
  changePassword(
    userId: string,
    passwords: { current: string; next: string },
    by: { sessionId: string; actor: Actor },
  ): Promise<{ changed: true } | { refused: "wrong" | "none" }>;
  /** Newest use first. */
  listSessions(userId: string): Promise<OpenSession[]>;
  /** False when they have no such session. */
  endSession(userId: string, sessionId: string): Promise<boolean>;
  endSessions(userId: string): Promise<void>;
}

export function createAccounts({ database, clock }: { database: Kysely<Schema>; clock: () => Date }): Accounts {
  return {
    hasPassword: async (userId) => (await readPasswordHash(database, userId)) !== undefined,

    async rename(userId, name) {
      await database.updateTable("users").set({ name, updated_at: clock() }).where("id", "=", userId).execute();
    },

    async changePassword(userId, { current, next }, { sessionId, actor }) {
      const hash = await readPasswordHash(database, userId);
      if (hash === undefined) return { refused: "none" };
      if (!(await verifyPassword({ hash, password: current }))) return { refused: "wrong" };
      const nextHash = await hashPassword(next);
      await database.transaction().execute(async (transaction) => {
        const now = clock();
        await storePassword(transaction, userId, nextHash, now);
        await transaction.deleteFrom("sessions").where("user_id", "=", userId).where("id", "!=", sessionId).execute();
        await recordAct(transaction, now, actor, { action: "password.changed" });
      });
      return { changed: true };
    },

    async listSessions(userId) {
      const rows = await database
        .selectFrom("sessions")
        .selectAll()
        .where("user_id", "=", userId)
        .where("expires_at", ">", clock())
        .orderBy("updated_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        userAgent: row.user_agent || null,
        address: row.ip_address || null,
        createdAt: row.created_at.toISOString(),
        lastSeenAt: row.updated_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
      }));
    },

    async endSession(userId, sessionId) {
      const { numDeletedRows } = await database
        .deleteFrom("sessions")
        .where("user_id", "=", userId)
        .where("id", "=", sessionId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async endSessions(userId) {
      await database.deleteFrom("sessions").where("user_id", "=", userId).execute();
    },
  };
}
