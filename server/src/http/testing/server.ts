import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyPluginAsync } from "fastify";
import type { Kysely } from "kysely";
import { createAuthorization, type Authorization } from "../../access/authorization.ts";
import { createKeys } from "../../access/keys.ts";
import { createPeople } from "../../access/people.ts";
import { createLimits } from "../../access/limits.ts";
import { createSecret } from "../../access/secret.ts";
import { createBuiltinHost, type BuiltinHost } from "../../codehost/builtin/builtin.ts";
import type { KeyScope, Schema } from "../../database/schema.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing/postgres.ts";
import type { Jobs } from "../../jobs/job.ts";
import { createJobs } from "../../jobs/jobs.ts";
import type { Projects } from "../../projects/project.ts";
import { createTestProjects } from "../../projects/testing/projects.ts";
import { createGitRoutes } from "../git.ts";
import { createHttpServer } from "../http.ts";
import { createPullRequestComments } from "../../jobs/pull-request-comments.ts";
import { createPullRequestJobs } from "../../jobs/pull-request-jobs.ts";
import { createPullRequestRoutes } from "../pull-requests.ts";

export interface TestServer {
  url: string;
  adminToken: string;
  database: TestDatabase;
  jobs: Jobs;
  builtinHost: BuiltinHost;
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
  /** Stands before the jobs, to make them misbehave. */
  wrapJobs?: (jobs: Jobs) => Jobs;
  /** More routes, made with the server's own parts. */
  plugins?: (parts: {
    authorization: Authorization;
    projects: Projects;
    database: Kysely<Schema>;
  }) => Promise<FastifyPluginAsync[]>;
}

/** The HTTP server with its real parts on a database and repositories of its own; only a worker is missing. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const connection = await createTestDatabase();
  const { database } = connection;
  const clock = options.clock ?? (() => new Date());
  const adminToken = "an-admin-token-of-the-tests";
  const keys = createKeys({ database, clock });
  const lines: string[] = [];
  const people = createPeople({
    database,
    secret: randomBytes(32).toString("hex"),
    publicUrl: "http://docent.test",
    clock,
    log: { warn: (...line: unknown[]) => void lines.push(JSON.stringify(line)) },
  });
  const listeners = new Set<(jobId: string | null) => void>();
  let closed: Promise<void> | undefined;
  const directory = await mkdtemp(join(tmpdir(), "docent-test-server-"));
  const secret = createSecret(randomBytes(32));
  const builtinHost = createBuiltinHost({
    database,
    repositoriesDirectory: join(directory, "repositories"),
    publicUrl: "http://docent.test",
    secret,
    clock,
  });
  const log = { error: (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`) };
  const { projects, codeHosts, credentials } = createTestProjects({ database, builtinHost, secret, clock, log });
  const jobs = createJobs({
    database,
    signals: {
      onJobEvent(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      onJobDelta: () => () => {},
    },
    modelName: "docent:offline",
    repositoryUrl: codeHosts.repositoryUrl,
    clock,
  });
  const authorization = createAuthorization({
    keys,
    people,
    projectExists: async (id) => (await projects.get(id)) !== undefined,
    adminToken,
    publicUrl: "http://docent.test",
  });
  const app = await createHttpServer(
    {
      jobs: options.wrapJobs?.(jobs) ?? jobs,
      projects,
      credentials,
      keys,
      authorization,
      limits: createLimits({ database, clock }),
      createsPerHour: options.createsPerHour ?? 0,
      messagesPerHour: options.messagesPerHour ?? 0,
      trustedProxies: options.trustedProxies ?? [],
      clock,
      log: (line) => lines.push(line),
      health: async () => {
        await connection.pool.query("select 1");
      },
      plugins: [
        createGitRoutes({ builtinHost, authenticateKey: authorization.authenticateKey, log }),
        createPullRequestRoutes({
          builtinHost,
          projects,
          jobs: createPullRequestJobs({ database }),
          comments: createPullRequestComments({ database, clock }),
          limits: createLimits({ database, clock }),
          messagesPerHour: options.messagesPerHour ?? 0,
          authorize: authorization.requireScopeOrAdministrator,
          callerOf: authorization.callerOf,
        }),
        ...((await options.plugins?.({ authorization, projects, database })) ?? []),
      ],
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
    builtinHost,
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
      closed ??= (async () => {
        await app.close();
        await projects.close();
        await connection.close();
        await rm(directory, { recursive: true, force: true });
      })();
      return closed;
    },
  };
}
