import type { Kysely } from "kysely";
import type { Secret } from "../../access/secret.ts";
import type { Schema } from "../../database/schema.ts";
import type { ImportOutcome } from "./import.ts";
import type { Source } from "./source.ts";

/** The rows of repositories: from where each is imported, and how that went. */
export interface ImportRows {
  /** Null: there is nothing to import, the repository is ready with this branch. */
  add(name: string, source: Source | null, defaultBranch: string, database: Kysely<Schema>): Promise<void>;
  /** Undefined when there is nothing (more) to import. */
  unfinished(name: string): Promise<Source | undefined>;
  /** Ends the import, and forgets the credential: it was for this fetch only. */
  settle(name: string, outcome: ImportOutcome, database: Kysely<Schema>): Promise<void>;
}

export function createImportRows(database: Kysely<Schema>, secret: Secret, clock: () => Date): ImportRows {
  return {
    async add(name, source, defaultBranch, transaction) {
      const credential = source?.type === "url" ? source.credential : null;
      await transaction
        .insertInto("builtin_repositories")
        .values({
          name,
          default_branch: defaultBranch,
          state: source === null ? "ready" : "importing",
          import_url: source === null ? null : source.type === "url" ? source.url : source.path,
          import_credential: credential === null ? null : secret.seal(credential),
          import_error: null,
          created_at: clock(),
        })
        .execute();
    },

    async unfinished(name) {
      const row = await database
        .selectFrom("builtin_repositories")
        .select(["import_url", "import_credential"])
        .where("name", "=", name)
        .where("state", "=", "importing")
        .executeTakeFirst();
      if (row?.import_url == null) return undefined;
      if (row.import_url.startsWith("/")) return { type: "path", path: row.import_url };
      const credential = row.import_credential === null ? null : secret.open(row.import_credential);
      return { type: "url", url: row.import_url, credential };
    },

    async settle(name, outcome, transaction) {
      await transaction
        .updateTable("builtin_repositories")
        .set({
          import_credential: null,
          ...("failed" in outcome
            ? { state: "failed" as const, import_error: outcome.failed }
            : { state: "ready" as const, default_branch: outcome.defaultBranch }),
        })
        .where("name", "=", name)
        .where("state", "=", "importing")
        .execute();
    },
  };
}
