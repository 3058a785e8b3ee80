import type { Kysely } from "kysely";
import type { AnalyticsSettings, Schema } from "../../database/schema.ts";

let projects = 0;

/** A project without a repository, for what is read of it. Resolves to its id, which no other one of this process has. */
export async function createTestProject(database: Kysely<Schema>, settings: AnalyticsSettings = {}): Promise<string> {
  projects += 1;
  const id = `prj_${projects}`;
  await database
    .insertInto("projects")
    .values({
      id,
      name: "Docs",
      code_host: "builtin",
      repository: id,
      ref: "main",
      settings: JSON.stringify({ analytics: settings }),
    })
    .execute();
  return id;
}
