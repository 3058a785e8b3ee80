import type { Kysely, Selectable } from "kysely";
import type { Secret } from "../access/secret.ts";
import type { BuiltinHost } from "../codehost/builtin/builtin.ts";
import { createImportRows } from "../codehost/builtin/import-rows.ts";
import { parseSource } from "../codehost/builtin/source.ts";
import { commitStarter } from "../codehost/builtin/starter.ts";
import type { ProjectsTable, Schema } from "../database/schema.ts";
import { ApiError } from "../errors.ts";
import { createId } from "../ids.ts";
import { createImports } from "./imports.ts";
import type { Project, Projects } from "./project.ts";
import { refProblem, settingsProblem } from "./settings.ts";

export interface ProjectsDependencies {
  database: Kysely<Schema>;
  builtinHost: BuiltinHost;
  secret: Secret;
  clock: () => Date;
  log: { error(fields: object, message: string): void };
}

function elsewhere(): ApiError {
  return new ApiError("unavailable", {
    message: "The built-in code host lives on another server of this service. Send this request there.",
  });
}

type Row = Selectable<ProjectsTable> & {
  repository_state: "importing" | "ready" | "failed";
  import_error: string | null;
};

const STARTER_BRANCH = "main";

export function createProjects({ database, builtinHost, secret, clock, log }: ProjectsDependencies): Projects {
  const importRows = createImportRows(database, secret, clock);
  const imports = createImports({ database, builtinHost, importRows, log });

  function toProject(row: Row): Project {
    return {
      id: row.id,
      name: row.name,
      repository: builtinHost.repositoryUrl(row.repository),
      ref: row.ref,
      state: row.repository_state,
      importError: row.import_error,
      settings: row.settings,
      createdAt: row.created_at.toISOString(),
    };
  }

  function selectProjects() {
    return database
      .selectFrom("projects")
      .innerJoin("builtin_repositories", "builtin_repositories.name", "projects.repository")
      .selectAll("projects")
      .select(["builtin_repositories.state as repository_state", "builtin_repositories.import_error"])
      .where("projects.deleted_at", "is", null);
  }

  async function getRow(id: string): Promise<Row | undefined> {
    return await selectProjects().where("projects.id", "=", id).executeTakeFirst();
  }

  async function newBranchProblem(row: Row, ref: string): Promise<string | undefined> {
    const problem = refProblem(ref);
    if (problem !== undefined) return problem;
    if (builtinHost.repositories === null) throw elsewhere();
    if (row.repository_state === "importing") return "ref: wait until the repository is imported.";
    const known = row.repository_state === "failed" || (await builtinHost.hasBranch(row.repository, ref));
    return known ? undefined : `ref: the repository has no branch ${ref}.`;
  }

  return {
    async create({ name, repository, ref, settings = {} }) {
      const problem = (ref === undefined ? undefined : refProblem(ref)) ?? settingsProblem(settings);
      if (problem !== undefined) return { refused: problem };
      if (repository === undefined && ref !== undefined && ref !== STARTER_BRANCH) {
        return { refused: `ref: a new repository has the branch ${STARTER_BRANCH} only.` };
      }
      const source = repository === undefined ? null : await parseSource(repository);
      if (source !== null && "refused" in source) return source;
      if (builtinHost.repositories === null) {
        throw elsewhere();
      }
      const now = clock();
      const id = createId("prj", now);
      if (source === null) await commitStarter(await builtinHost.repositories.create(id), name, now);
      const branch = ref ?? (source === null ? STARTER_BRANCH : "HEAD");
      await database.transaction().execute(async (transaction) => {
        await importRows.add(id, source, branch, transaction);
        await transaction
          .insertInto("projects")
          .values({
            id,
            name,
            code_host: "builtin",
            repository: id,
            ref: branch,
            settings: JSON.stringify(settings),
            created_at: now,
            deleted_at: null,
          })
          .execute();
      });
      if (source !== null) imports.start(id);
      const row = await getRow(id);
      if (row === undefined) throw new Error(`The project ${id} vanished while it was made.`);
      return { project: toProject(row) };
    },

    async get(id) {
      const row = await getRow(id);
      return row && toProject(row);
    },

    async list() {
      return (await selectProjects().orderBy("projects.id", "desc").execute()).map(toProject);
    },

    async update(id, { name, ref, settings }) {
      const row = await getRow(id);
      if (row === undefined) return undefined;
      const problem =
        (ref === undefined || ref === row.ref ? undefined : await newBranchProblem(row, ref)) ??
        (settings === undefined ? undefined : settingsProblem(settings));
      if (problem !== undefined) return { refused: problem };
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(ref === undefined ? {} : { ref }),
        ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
      };
      if (Object.keys(changes).length > 0) {
        await database
          .updateTable("projects")
          .set(changes)
          .where("id", "=", id)
          .where("deleted_at", "is", null)
          .execute();
      }
      const changed = await getRow(id);
      return changed && { project: toProject(changed) };
    },

    async delete(id) {
      const now = clock();
      const deleted = await database.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("projects")
          .set({ deleted_at: now })
          .where("id", "=", id)
          .where("deleted_at", "is", null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await transaction
          .updateTable("api_keys")
          .set({ revoked_at: now })
          .where("project_id", "=", id)
          .where("revoked_at", "is", null)
          .execute();
        return true;
      });
      if (deleted) imports.abandon(id);
      return deleted;
    },

    resumeImports: () => imports.resume(),
    close: () => imports.close(),
  };
}
