import { randomBytes } from "node:crypto";
import { sql, type Kysely } from "kysely";
import type { Actor } from "../../access/audit-log.ts";
import type { Schema } from "../../database/schema.ts";
import type { ProjectCredentials } from "../../projects/credentials.ts";

/** After a rotation, deliveries are signed with the old secret too, so that receivers can change over. */
const OVERLAP_HOURS = 24;

/** What is sealed. */
interface Stored {
  secret: string;
  previous?: { secret: string; until: string };
}

/** The secrets that deliveries are signed with: `whsec_` and 32 bytes in Base64, as Standard Webhooks writes them. */
export interface SigningSecrets {
  /** Those that sign now, the newest first. Makes one where a project has none; it is shown when it is rotated. */
  current(projectId: string): Promise<string[]>;
  /** Makes a new one. Undefined when there is no such project. */
  rotate(projectId: string, actor?: Actor): Promise<{ secret: string; previousUntil: Date | null } | undefined>;
}

export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

export function createSigningSecrets(dependencies: {
  database: Kysely<Schema>;
  credentials: Pick<ProjectCredentials, "read" | "write">;
  clock: () => Date;
}): SigningSecrets {
  const { database, credentials, clock } = dependencies;

  async function read(projectId: string): Promise<Stored | undefined> {
    const stored = await credentials.read(projectId, "webhook");
    return stored === undefined ? undefined : (JSON.parse(stored) as Stored);
  }

  /** One at a time for each project, whatever the process: else two could each believe to have made the one that holds. */
  function alone<Answer>(projectId: string, work: (transaction: Kysely<Schema>) => Promise<Answer>) {
    return database.transaction().execute(async (transaction) => {
      const project = await sql`
        select from projects where id = ${projectId} and deleted_at is null for no key update`.execute(transaction);
      return project.rows.length === 0 ? undefined : work(transaction);
    });
  }

  return {
    async current(projectId) {
      const stored =
        (await read(projectId)) ??
        (await alone(projectId, async (transaction) => {
          const present = await read(projectId);
          if (present !== undefined) return present;
          const made: Stored = { secret: createWebhookSecret() };
          await credentials.write(projectId, "webhook", JSON.stringify(made), { within: transaction });
          return made;
        }));
      if (stored === undefined) return [];
      const { secret, previous } = stored;
      const overlaps = previous !== undefined && new Date(previous.until) > clock();
      return overlaps ? [secret, previous.secret] : [secret];
    },

    rotate: (projectId, actor) =>
      alone(projectId, async (transaction) => {
        const old = await read(projectId);
        const previousUntil = old === undefined ? null : new Date(clock().getTime() + OVERLAP_HOURS * 3_600_000);
        const made: Stored = {
          secret: createWebhookSecret(),
          ...(old === undefined || previousUntil === null
            ? {}
            : { previous: { secret: old.secret, until: previousUntil.toISOString() } }),
        };
        const options = { within: transaction, ...(actor === undefined ? {} : { actor }) };
        await credentials.write(projectId, "webhook", JSON.stringify(made), options);
        return { secret: made.secret, previousUntil };
      }),
  };
}
