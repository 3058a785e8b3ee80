import type { AddressInfo } from "node:net";
import type { FastifyPluginAsync } from "fastify";
import { createAuthorization } from "../../access/authorization.ts";
import { createKeys } from "../../access/keys.ts";
import { createLimits } from "../../access/limits.ts";
import type { KeyScope, Schema } from "../../database/schema.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import { createId } from "../../ids.ts";
import type { Jobs } from "../../jobs/job.ts";
import { createJobs } from "../../jobs/jobs.ts";
import type { Kysely, Selectable } from "kysely";
import type { ProjectsTable } from "../../database/schema.ts";
import type { Project, Projects } from "../../projects/project.ts";
import { createHttpServer } from "../http.ts";

export interface TestServer {
  url: string;
  adminToken: string;
  database: TestDatabase;
  jobs: Jobs;
  /** What the server logged. */
  lines: string[];
  /** Makes a project and a key for it. */
  createProject(scope?: KeyScope): Promise<{ projectId: string; key: string }>;
  /** Tells event streams that a job changed, as a notification would. */
  announce(jobId: string): void;
  /** May be called twice. */
  close(): Promise<void>;
}

export interface TestServerOptions {
  createsPerHour?: number;
  messagesPerHour?: number;
  trustedProxies?: string[];
  heartbeatMs?: number;
  clock?: () => Date;
  plugins?: FastifyPluginAsync[];
  /** Stands before the jobs, to make them misbehave. */
  wrapJobs?: (jobs: Jobs) => Jobs;
}

/** The HTTP server with real keys, limits and jobs on a database of its own, without a worker or a code host. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const connection = await createTestDatabase();
  const { database } = connection;
  const clock = options.clock ?? (() => new Date());
  const adminToken = "an-admin-token-of-the-tests";
  const keys = createKeys({ database, clock });
  const listeners = new Set<(jobId: string | null) => void>();
  const jobs = createJobs({
    database,
    signals: {
      onJobEvent(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    modelName: "docent:offline",
    repositoryUrl: (repository) => `http://docent.test/git/${repository}.git`,
    clock,
  });
  let closed: Promise<void> | undefined;
  const projects = createStoredProjects(database, clock);
  const lines: string[] = [];
  const app = await createHttpServer(
    {
      jobs: options.wrapJobs?.(jobs) ?? jobs,
      projects,
      keys,
      authorization: createAuthorization({ keys, adminToken }),
      limits: createLimits({ database, clock }),
      createsPerHour: options.createsPerHour ?? 0,
      messagesPerHour: options.messagesPerHour ?? 0,
      trustedProxies: options.trustedProxies ?? [],
      clock,
      log: (line) => lines.push(line),
      health: async () => {
        await connection.pool.query("select 1");
      },
      plugins: options.plugins ?? [],
    },
    options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs },
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    adminToken,
    database: connection,
    jobs,
    lines,
    async createProject(scope = "admin") {
      const answer = await projects.create({ name: "Docs" });
      if ("refused" in answer) throw new Error(answer.refused);
      const issued = await keys.issue(answer.project.id, { name: "test", scope });
      if ("refused" in issued) throw new Error(issued.refused);
      return { projectId: answer.project.id, key: issued.key };
    },
    announce: (jobId) => listeners.forEach((listener) => listener(jobId)),
    close() {
      closed ??= app.close().then(() => connection.close());
      return closed;
    },
  };
}

/** Projects as rows alone: these tests have no repositories. */
function createStoredProjects(database: Kysely<Schema>, clock: () => Date): Projects {
  const toProject = (row: Selectable<ProjectsTable>): Project => ({
    id: row.id,
    name: row.name,
    repository: `http://docent.test/git/${row.id}.git`,
    ref: row.ref,
    state: "ready",
    importError: null,
    settings: row.settings,
    createdAt: row.created_at.toISOString(),
  });
  const present = database.selectFrom("projects").selectAll().where("deleted_at", "is", null);
  return {
    async create({ name, repository, ref = "main", settings = {} }) {
      if (repository?.startsWith("ssh:") === true) return { refused: "repository must be an http(s) URL or a path." };
      const now = clock();
      const id = createId("prj", now);
      const row = await database
        .insertInto("projects")
        .values({
          id,
          name,
          code_host: "builtin",
          repository: id,
          ref,
          settings: JSON.stringify(settings),
          created_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { project: toProject(row) };
    },
    async get(id) {
      const row = await present.where("id", "=", id).executeTakeFirst();
      return row && toProject(row);
    },
    list: async () => (await present.orderBy("id", "desc").execute()).map(toProject),
    async update(id, { name, ref, settings }) {
      const row = await database
        .updateTable("projects")
        .set({
          id,
          ...(name === undefined ? {} : { name }),
          ...(ref === undefined ? {} : { ref }),
          ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
        })
        .where("id", "=", id)
        .where("deleted_at", "is", null)
        .returningAll()
        .executeTakeFirst();
      return row && { project: toProject(row) };
    },
    async delete(id) {
      const deleted = await database
        .updateTable("projects")
        .set({ deleted_at: clock() })
        .where("id", "=", id)
        .where("deleted_at", "is", null)
        .executeTakeFirst();
      return deleted.numUpdatedRows > 0n;
    },
    resumeImports: async () => {},
    close: async () => {},
  };
}
