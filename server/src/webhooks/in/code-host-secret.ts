import type { Kysely } from "kysely";
import { SYSTEM, type Actor } from "../../access/audit-log.ts";
import type { Schema } from "../../database/schema.ts";
import type { ProjectCredentials } from "../../projects/credentials.ts";
import { createWebhookSecret } from "../out/signing-secrets.ts";

/** Where a code host sends to, and what it signs with. */
export interface CodeHostWebhook {
  url: string;
  /** GitHub, Gitea: the secret. GitLab: the signing token, or the secret token where it knows no signing token. */
  secret: string;
}

/**
 * Makes the secret that a project's code host signs with, in place of the one before.
 * @returns `conflict` for the built-in code host, which tells Docent in its own way; undefined without such a project.
 */
export async function connectCodeHostWebhook(
  dependencies: {
    database: Kysely<Schema>;
    credentials: Pick<ProjectCredentials, "write">;
    publicUrl: string;
  },
  projectId: string,
  actor: Actor = SYSTEM,
): Promise<CodeHostWebhook | { refused: "conflict" } | undefined> {
  const { database, credentials, publicUrl } = dependencies;
  const project = await database
    .selectFrom("projects")
    .select("code_host")
    .where("id", "=", projectId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (project === undefined) return undefined;
  if (project.code_host === "builtin") return { refused: "conflict" };
  const secret = createWebhookSecret();
  await credentials.write(projectId, "code-host-webhook", secret, { actor });
  return { url: `${publicUrl}/v1/webhooks/${projectId}/${project.code_host}`, secret };
}
