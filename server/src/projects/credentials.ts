import type { Kysely } from "kysely";
import { recordAct, SYSTEM, type Actor } from "../access/audit-log.ts";
import type { Secret } from "../access/secret.ts";
import type { Schema } from "../database/schema.ts";

export const MODEL_PROVIDERS = ["anthropic", "openai", "google", "bedrock", "openai-compatible"] as const;

/** What a project may keep sealed. `code-host` is JSON (CodeHostCredential); a model's is the provider's key. */
export const CREDENTIAL_NAMES = [
  "code-host",
  ...MODEL_PROVIDERS.map((provider) => `model-${provider}` as const),
  /** Of webhooks that Docent sends. */
  "webhook",
  /** Of webhooks that the code host sends. */
  "code-host-webhook",
  /** The SSH key that signs commits. */
  "signing-key",
] as const;

export type CredentialName = (typeof CREDENTIAL_NAMES)[number];

/** What a project's own services accept: sealed with the server's secret (AES-256-GCM), never shown again. */
export interface ProjectCredentials {
  /** @throws Error when it was sealed with another secret than the server has now. */
  read(projectId: string, name: CredentialName): Promise<string | undefined>;
  write(
    projectId: string,
    name: CredentialName,
    value: string,
    options?: { actor?: Actor; within?: Kysely<Schema> },
  ): Promise<void>;
  /** False when there is none of that name. */
  remove(projectId: string, name: CredentialName, actor?: Actor): Promise<boolean>;
  /** Which there are, and since when; never their values. */
  list(projectId: string): Promise<{ name: CredentialName; updatedAt: Date }[]>;
}

export function createProjectCredentials(dependencies: {
  database: Kysely<Schema>;
  secret: Secret;
  clock: () => Date;
}): ProjectCredentials {
  const { database, secret, clock } = dependencies;
  return {
    async read(projectId, name) {
      const row = await database
        .selectFrom("project_credentials")
        .select("sealed")
        .where("project_id", "=", projectId)
        .where("name", "=", name)
        .executeTakeFirst();
      return row && secret.open(row.sealed);
    },

    async write(projectId, name, value, { actor = SYSTEM, within } = {}) {
      const now = clock();
      const content = { sealed: secret.seal(value), updated_at: now };
      const store = async (transaction: Kysely<Schema>): Promise<void> => {
        await transaction
          .insertInto("project_credentials")
          .values({ project_id: projectId, name, ...content })
          .onConflict((conflict) => conflict.columns(["project_id", "name"]).doUpdateSet(content))
          .execute();
        const subject = { id: null, name };
        await recordAct(transaction, now, actor, { action: "credential.stored", projectId, subject });
      };
      await (within === undefined ? database.transaction().execute(store) : store(within));
    },

    async remove(projectId, name, actor = SYSTEM) {
      return await database.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom("project_credentials")
          .where("project_id", "=", projectId)
          .where("name", "=", name)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        const subject = { id: null, name };
        await recordAct(transaction, clock(), actor, { action: "credential.removed", projectId, subject });
        return true;
      });
    },

    async list(projectId) {
      const rows = await database
        .selectFrom("project_credentials")
        .select(["name", "updated_at"])
        .where("project_id", "=", projectId)
        .orderBy("name")
        .execute();
      return rows.map((row) => ({ name: row.name as CredentialName, updatedAt: row.updated_at }));
    },
  };
}
