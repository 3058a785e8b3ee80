import type { Kysely } from "kysely";
import type { BuiltinHost } from "../codehost/builtin/builtin.ts";
import type { ImportRows } from "../codehost/builtin/import-rows.ts";
import { importInto, type ImportOutcome } from "../codehost/builtin/import.ts";
import { createImportNetwork } from "../codehost/builtin/probe.ts";
import type { Schema } from "../database/schema.ts";
import type { Network } from "../network/network.ts";

/** Imports are bound by network and disk; more at once only take longer each. */
const RUNNING_MAX = 2;

export interface Imports {
  start(projectId: string): void;
  /** Stops the import of a project that is being deleted. */
  abandon(projectId: string): void;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface ImportsDependencies {
  database: Kysely<Schema>;
  builtinHost: BuiltinHost;
  importRows: ImportRows;
  network: Network;
  log: { error(fields: object, message: string): void };
}

/** Runs imports in the background, few at a time. A row that says `importing` is the whole of their state. */
export function createImports({ database, builtinHost, importRows, network, log }: ImportsDependencies): Imports {
  const importNetwork = createImportNetwork(network);
  const waiting: string[] = [];
  const running = new Map<string, { controller: AbortController; ended: Promise<void> }>();
  let closed = false;

  async function settle(projectId: string, outcome: ImportOutcome): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      if ("defaultBranch" in outcome) {
        await transaction
          .updateTable("projects")
          .set({ ref: outcome.defaultBranch })
          .where("id", "=", projectId)
          .where("ref", "=", "HEAD")
          .execute();
      }
      await importRows.settle(projectId, outcome, transaction);
    });
  }

  async function runImport(projectId: string, signal: AbortSignal): Promise<void> {
    const project = await database
      .selectFrom("projects")
      .select(["repository", "ref"])
      .where("id", "=", projectId)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (project === undefined || builtinHost.repositories === null) return;
    try {
      const source = await importRows.unfinished(project.repository);
      if (source === undefined) return;
      // Whatever an interrupted import has left there goes.
      const gitDir = await builtinHost.repositories.create(project.repository);
      const wanted = project.ref === "HEAD" ? undefined : project.ref;
      await settle(projectId, await importInto(gitDir, source, wanted, importNetwork, signal));
    } catch (error) {
      if (signal.aborted) return;
      log.error({ projectId, err: error }, "import failed");
      await settle(projectId, {
        failed: "The import failed on the server; its log says why. Delete the project and create it again.",
      });
    }
  }

  function startNext(): void {
    while (!closed && running.size < RUNNING_MAX) {
      const projectId = waiting.shift();
      if (projectId === undefined) return;
      const controller = new AbortController();
      const ended = runImport(projectId, controller.signal)
        // The row still says `importing`: the next start takes it up.
        .catch((error: unknown) => log.error({ projectId, err: error }, "import not recorded"))
        .finally(() => {
          running.delete(projectId);
          startNext();
        });
      running.set(projectId, { controller, ended });
    }
  }

  function start(projectId: string): void {
    if (running.has(projectId) || waiting.includes(projectId)) return;
    waiting.push(projectId);
    startNext();
  }

  return {
    start,

    abandon(projectId) {
      const index = waiting.indexOf(projectId);
      if (index >= 0) waiting.splice(index, 1);
      running.get(projectId)?.controller.abort();
    },

    async resume() {
      if (builtinHost.repositories === null) return;
      const rows = await database
        .selectFrom("projects")
        .innerJoin("builtin_repositories", "builtin_repositories.name", "projects.repository")
        .select("projects.id")
        .where("builtin_repositories.state", "=", "importing")
        .where("projects.deleted_at", "is", null)
        .orderBy("projects.id")
        .execute();
      for (const { id } of rows) start(id);
    },

    async close() {
      closed = true;
      for (const { controller } of running.values()) controller.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}
