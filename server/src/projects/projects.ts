import { isDeepStrictEqual } from "node:util";
import type { Insertable, Kysely, Selectable } from "kysely";
import { recordAct, SYSTEM, type Actor } from "../access/audit-log.ts";
import type { Secret } from "../access/secret.ts";
import type { BuiltinHost } from "../codehost/builtin/builtin.ts";
import { createImportRows } from "../codehost/builtin/import-rows.ts";
import { parseSource } from "../codehost/builtin/source.ts";
import { commitStarter } from "../codehost/builtin/starter.ts";
import type { CodeHosts } from "../codehost/codehosts.ts";
import { readRepositoryAddress } from "../codehost/repository-address.ts";
import type { CodeHostName, ProjectSettings, ProjectsTable, Schema } from "../database/schema.ts";
import { ApiError } from "../errors.ts";
import { createId } from "../ids.ts";
import type { Network } from "../network/network.ts";
import { createImports } from "./imports.ts";
import type { ProjectCredentials } from "./credentials.ts";
import { lookAtRepository } from "./look-at-repository.ts";
import type { Project, ProjectCreation, Projects, ProjectUpdate } from "./project.ts";
import { refProblem, settingsProblem, type SettingsChecks } from "./settings.ts";

export interface ProjectsDependencies extends SettingsChecks {
  database: Kysely<Schema>;
  builtinHost: BuiltinHost;
  codeHosts: CodeHosts;
  credentials: ProjectCredentials;
  network: Network;
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
  /** Null on other code hosts, where nothing is imported. */
  repository_state: "importing" | "ready" | "failed" | null;
  import_error: string | null;
};

const STARTER_BRANCH = "main";

export function createProjects(dependencies: ProjectsDependencies): Projects {
  const { database, builtinHost, codeHosts, credentials, network, secret, clock, log } = dependencies;
  const importRows = createImportRows(database, secret, clock);
  const imports = createImports({ database, builtinHost, importRows, network, log });

  function toProject(row: Row): Project {
    return {
      id: row.id,
      name: row.name,
      codeHost: row.code_host,
      repository: codeHosts.repositoryUrl(row),
      ref: row.ref,
      state: row.repository_state ?? "ready",
      importError: row.import_error,
      settings: row.settings,
      createdAt: row.created_at.toISOString(),
    };
  }

  function selectProjects() {
    return database
      .selectFrom("projects")
      .leftJoin("builtin_repositories", (join) =>
        join.onRef("builtin_repositories.name", "=", "projects.repository").on("projects.code_host", "=", "builtin"),
      )
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
    // On another code host a missing branch is noticed by the next job, which says so.
    if (row.code_host !== "builtin") return undefined;
    if (builtinHost.repositories === null) throw elsewhere();
    if (row.repository_state === "importing") return "ref: wait until the repository is imported.";
    const known = row.repository_state === "failed" || (await builtinHost.hasBranch(row.repository, ref));
    return known ? undefined : `ref: the repository has no branch ${ref}.`;
  }

  async function keyProblem(id: string, { commits }: ProjectSettings): Promise<string | undefined> {
    if (commits?.sign !== true || (await credentials.read(id, "signing-key")) !== undefined) return undefined;
    return "settings.commits.sign: the project has no signing key yet. Make one first (docent credential signing-key --new).";
  }

  async function insertProject(
    transaction: Kysely<Schema>,
    project: Pick<Insertable<ProjectsTable>, "id" | "name" | "repository" | "ref"> & {
      host: CodeHostName;
      url: string | null;
      settings: ProjectSettings;
      now: Date;
      actor: Actor;
    },
  ): Promise<void> {
    const { id, name, host, url, repository, ref, settings, now, actor } = project;
    await transaction
      .insertInto("projects")
      .values({
        id,
        name,
        code_host: host,
        code_host_url: url,
        repository,
        ref,
        settings: JSON.stringify(settings),
        created_at: now,
        deleted_at: null,
      })
      .execute();
    await recordAct(transaction, now, actor, { action: "project.created", projectId: id, subject: { id, name } });
  }

  async function createBuiltin({ name, repository, ref, settings = {} }: ProjectCreation, actor: Actor) {
    if (repository === undefined && ref !== undefined && ref !== STARTER_BRANCH) {
      return { refused: `ref: a new repository has the branch ${STARTER_BRANCH} only.` };
    }
    const source = repository === undefined ? null : await parseSource(repository);
    if (source !== null && "refused" in source) return source;
    if (builtinHost.repositories === null) throw elsewhere();
    const now = clock();
    const id = createId("prj", now);
    if (source === null) await commitStarter(await builtinHost.repositories.create(id), name, now);
    const branch = ref ?? (source === null ? STARTER_BRANCH : "HEAD");
    await database.transaction().execute(async (transaction) => {
      await importRows.add(id, source, branch, transaction);
      await insertProject(transaction, {
        id,
        name,
        host: "builtin",
        url: null,
        repository: id,
        ref: branch,
        settings,
        now,
        actor,
      });
    });
    if (source !== null) imports.start(id);
    return { id };
  }

  async function createOutside(host: Exclude<CodeHostName, "builtin">, creation: ProjectCreation, actor: Actor) {
    const { name, repository: given, codeHostUrl, settings = {} } = creation;
    if (given === undefined) return { refused: `repository: name the repository on ${host} to work on.` };
    const address = readRepositoryAddress(host, given, codeHostUrl);
    if ("refused" in address) return address;
    const credential = creation.credential ?? address.credential;
    const { url, repository } = address;
    const found = await lookAtRepository(codeHosts, address, credential, repository);
    if ("refused" in found) return found;
    const now = clock();
    const id = createId("prj", now);
    await database.transaction().execute(async (transaction) => {
      const ref = creation.ref ?? found.defaultBranch;
      await insertProject(transaction, { id, name, host, url, repository, ref, settings, now, actor });
      if (credential === null) return;
      await credentials.write(id, "code-host", JSON.stringify(credential), { within: transaction, actor });
    });
    return { id };
  }

  return {
    async create(creation, actor = SYSTEM) {
      const { ref, settings = {}, codeHost = "builtin" } = creation;
      const problem = (ref === undefined ? undefined : refProblem(ref)) ?? settingsProblem(settings, dependencies);
      if (problem !== undefined) return { refused: problem };
      if (settings.commits?.sign === true) {
        return { refused: "settings.commits.sign: make the project first, then its signing key, then switch this on." };
      }
      if (codeHost === "builtin" && (creation.credential ?? creation.codeHostUrl) !== undefined) {
        return { refused: "codeHost: credential and codeHostUrl are for github, gitlab and gitea." };
      }
      const made = await (codeHost === "builtin"
        ? createBuiltin(creation, actor)
        : createOutside(codeHost, creation, actor));
      if ("refused" in made) return made;
      const row = await getRow(made.id);
      if (row === undefined) throw new Error(`The project ${made.id} vanished while it was made.`);
      return { project: toProject(row) };
    },

    async get(id) {
      const row = await getRow(id);
      return row && toProject(row);
    },

    async list() {
      return (await selectProjects().orderBy("projects.id", "desc").execute()).map(toProject);
    },

    async update(id, update, actor = SYSTEM) {
      const { name, ref, credential, settings } = update;
      const row = await getRow(id);
      if (row === undefined) return undefined;
      const problem =
        (ref === undefined || ref === row.ref ? undefined : await newBranchProblem(row, ref)) ??
        (settings === undefined
          ? undefined
          : (settingsProblem(settings, dependencies) ?? (await keyProblem(id, settings))));
      if (problem !== undefined) return { refused: problem };
      if (credential !== undefined) {
        const { code_host: host, code_host_url: url, repository } = row;
        if (host === "builtin" || url === null) return { refused: "credential: the built-in code host needs none." };
        const found = await lookAtRepository(codeHosts, { host, url }, credential, repository);
        if ("refused" in found) return found;
      }
      const values = {
        ...(name === undefined ? {} : { name }),
        ...(ref === undefined ? {} : { ref }),
        ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
      };
      const now = clock();
      await database.transaction().execute(async (transaction) => {
        if (credential !== undefined) {
          await credentials.write(id, "code-host", JSON.stringify(credential), { within: transaction, actor });
        }
        if (Object.keys(values).length === 0) return;
        const { numUpdatedRows } = await transaction
          .updateTable("projects")
          .set(values)
          .where("id", "=", id)
          .where("deleted_at", "is", null)
          .executeTakeFirst();
        const changes = changedFields(row, update).join(", ");
        if (numUpdatedRows === 0n || changes === "") return;
        const subject = { id, name: name ?? row.name };
        await recordAct(transaction, now, actor, {
          action: "project.changed",
          projectId: id,
          subject,
          details: { changes },
        });
      });
      const changed = await getRow(id);
      return changed && { project: toProject(changed) };
    },

    async delete(id, actor = SYSTEM) {
      const now = clock();
      const deleted = await database.transaction().execute(async (transaction) => {
        const gone = await transaction
          .updateTable("projects")
          .set({ deleted_at: now })
          .where("id", "=", id)
          .where("deleted_at", "is", null)
          .returning("name")
          .executeTakeFirst();
        if (gone === undefined) return false;
        const subject = { id, name: gone.name };
        await recordAct(transaction, now, actor, { action: "project.deleted", projectId: id, subject });
        await transaction
          .updateTable("api_keys")
          .set({ revoked_at: now })
          .where("project_id", "=", id)
          .where("revoked_at", "is", null)
          .execute();
        await transaction.deleteFrom("project_credentials").where("project_id", "=", id).execute();
        return true;
      });
      if (deleted) imports.abandon(id);
      return deleted;
    },

    resumeImports: () => imports.resume(),
    close: () => imports.close(),
  };
}

/** The names of what an update changes, each setting by itself. */
function changedFields(row: Row, { name = row.name, ref = row.ref, settings = row.settings }: ProjectUpdate): string[] {
  const names = new Set([...Object.keys(row.settings), ...Object.keys(settings)]) as Set<keyof ProjectSettings>;
  const changed = [...names].filter((each) => !isDeepStrictEqual(row.settings[each], settings[each]));
  return [
    ...(name === row.name ? [] : ["name"]),
    ...(ref === row.ref ? [] : ["ref"]),
    ...changed.map((each) => `settings.${each}`),
  ];
}
