import { createHash, hash, randomBytes } from "node:crypto";
import type { Kysely, Selectable } from "kysely";
import { createRowLoader } from "../database/row-loader.ts";
import type { ApiKeysTable, KeyScope, Schema } from "../database/schema.ts";
import { createId } from "../ids.ts";
import { recordAct, SYSTEM, type Actor } from "./audit-log.ts";
import { isAddressIn, normalizeCidr } from "./cidr.ts";

/** An API key as its project's owner sees it. The key itself is in no answer but the one that made it. */
export interface ApiKey {
  id: string;
  name: string;
  scope: KeyScope;
  /** The first characters of the key, to recognise it by. */
  start: string;
  /** To the minute; null when it never was. */
  lastUsedAt: string | null;
  /** ISO 8601 UTC; null when it never expires. */
  expiresAt: string | null;
  /** The ranges it may be used from; empty for everywhere. */
  cidrs: string[];
  createdAt: string;
}

export interface KeyCreation {
  name: string;
  scope: KeyScope;
  expiresAt?: Date;
  /** Addresses or CIDR ranges, IPv4 or IPv6. */
  cidrs?: readonly string[];
}

/** Who a key speaks for, or why it does not count: nobody knows it (any more), or it came from a foreign address. */
export type Authentication =
  | { keyId: string; name: string; projectId: string; scope: KeyScope }
  | { refused: "unknown" | "address_not_allowed" };

export interface Keys {
  /** Makes a key. `key` is shown here and never again. Refused when there is no such project. */
  issue(
    projectId: string,
    creation: KeyCreation,
    actor?: Actor,
  ): Promise<(ApiKey & { key: string }) | { refused: "not_found" }>;
  /** The keys that are not revoked, newest first. Undefined when there is no such project. */
  list(projectId: string): Promise<ApiKey[] | undefined>;
  /** False when the project has no such key. A revoked key stops at once here, and within a second on other servers. */
  revoke(projectId: string, keyId: string, actor?: Actor): Promise<boolean>;
  /** Reads every key again before it counts. Call it when keys have stopped by other means. */
  forgetRead(): void;
  /** @param address The client's IPv4 or IPv6 address. */
  authenticate(key: string, address: string): Promise<Authentication>;
}

const KEY_PATTERN = /^docent_[A-Za-z0-9_-]{43}$/;
const START_CHARACTERS = 12;
/** For how long a key that was read counts without being read again. */
const FRESH_MS = 1_000;
const RECENT_MAX = 10_000;
/** How exactly it is known when a key was last used. */
const USE_MS = 60_000;

/** API keys: `docent_` and 32 random bytes. Only their SHA-256 is stored: with 256 random bits nothing slower is needed. */
export function createKeys({ database, clock }: { database: Kysely<Schema>; clock: () => Date }): Keys {
  const rows = createRowLoader(async (hashes) => {
    const found = await database
      .selectFrom("api_keys")
      .innerJoin("projects", "projects.id", "api_keys.project_id")
      .select(["api_keys.id", "api_keys.name", "project_id", "scope", "cidrs", "expires_at", "last_used_at", "hash"])
      .where(
        "hash",
        "in",
        hashes.map((text) => Buffer.from(text, "base64")),
      )
      .where("revoked_at", "is", null)
      .where("projects.deleted_at", "is", null)
      .execute();
    return new Map(found.map((row) => [row.hash.toString("base64"), row]));
  });

  // Reading a key for each request took a quarter of what a GET of a job takes.
  const recent = new Map<string, { readAt: number; row: ReturnType<typeof rows.load> }>();

  async function readRecently(keyHash: string): ReturnType<typeof rows.load> {
    const known = recent.get(keyHash);
    if (known !== undefined && performance.now() - known.readAt < FRESH_MS) return known.row;
    const entry = { readAt: performance.now(), row: rows.load(keyHash) };
    if (recent.size >= RECENT_MAX) recent.clear();
    recent.set(keyHash, entry);
    const row = await entry.row.catch((error: unknown) => {
      recent.delete(keyHash);
      throw error;
    });
    // Keys that nobody has are no reason to remember anything.
    if (row === undefined) recent.delete(keyHash);
    return row;
  }

  const used: string[] = [];

  // A use is noted beside the request, which does not wait for it; one that is lost is noted with the next.
  function noteUse(row: { id: string; last_used_at: Date | null }): void {
    const now = clock();
    if (row.last_used_at !== null && now.getTime() - row.last_used_at.getTime() < USE_MS) return;
    row.last_used_at = now;
    used.push(row.id);
    if (used.length === 1) setImmediate(() => writeUses(used.splice(0), now));
  }

  function writeUses(ids: string[], now: Date): void {
    database
      .updateTable("api_keys")
      .set({ last_used_at: now })
      .where("id", "in", ids)
      .execute()
      .catch(() => {});
  }

  async function projectExists(projectId: string): Promise<boolean> {
    const row = await database
      .selectFrom("projects")
      .select("id")
      .where("id", "=", projectId)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    return row !== undefined;
  }

  return {
    async issue(projectId, creation, actor = SYSTEM) {
      if (!(await projectExists(projectId))) return { refused: "not_found" };
      const key = `docent_${randomBytes(32).toString("base64url")}`;
      const now = clock();
      const { name, scope } = creation;
      const values = {
        id: createId("key", now),
        project_id: projectId,
        name,
        scope,
        hash: createHash("sha256").update(key).digest(),
        start: key.slice(0, START_CHARACTERS),
        cidrs: (creation.cidrs ?? []).map(requireCidr),
        expires_at: creation.expiresAt ?? null,
        revoked_at: null,
        created_at: now,
      };
      return await database.transaction().execute(async (transaction) => {
        const row = await transaction.insertInto("api_keys").values(values).returningAll().executeTakeFirstOrThrow();
        const subject = { id: row.id, name };
        await recordAct(transaction, now, actor, { action: "key.created", projectId, subject, details: { scope } });
        return { ...toApiKey(row), key };
      });
    },

    async list(projectId) {
      if (!(await projectExists(projectId))) return undefined;
      const found = await database
        .selectFrom("api_keys")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("revoked_at", "is", null)
        .orderBy("id", "desc")
        .execute();
      return found.map(toApiKey);
    },

    async revoke(projectId, keyId, actor = SYSTEM) {
      const now = clock();
      const isRevoked = await database.transaction().execute(async (transaction) => {
        const revoked = await transaction
          .updateTable("api_keys")
          .set({ revoked_at: now })
          .where("id", "=", keyId)
          .where("project_id", "=", projectId)
          .where("revoked_at", "is", null)
          .returning(["name", "scope"])
          .executeTakeFirst();
        if (revoked === undefined) return false;
        const { name, scope } = revoked;
        const subject = { id: keyId, name };
        await recordAct(transaction, now, actor, { action: "key.revoked", projectId, subject, details: { scope } });
        return true;
      });
      recent.clear();
      return isRevoked;
    },

    forgetRead: () => recent.clear(),

    async authenticate(key, address) {
      if (!KEY_PATTERN.test(key)) return { refused: "unknown" };
      const row = await readRecently(hash("sha256", key, "base64"));
      if (row === undefined) return { refused: "unknown" };
      if (row.expires_at !== null && row.expires_at <= clock()) return { refused: "unknown" };
      if (row.cidrs.length > 0 && !isAddressIn(row.cidrs, address)) return { refused: "address_not_allowed" };
      noteUse(row);
      return { keyId: row.id, name: row.name, projectId: row.project_id, scope: row.scope };
    },
  };
}

function requireCidr(text: string): string {
  const cidr = normalizeCidr(text);
  if (cidr === undefined) throw new RangeError(`Not an address or a CIDR range: ${text}`);
  return cidr;
}

function toApiKey(row: Selectable<ApiKeysTable>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    start: row.start,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    cidrs: row.cidrs,
    createdAt: row.created_at.toISOString(),
  };
}
