import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { createSecret } from "../../access/secret.ts";
import { createScriptedModel } from "../../agent/testing/scripted-model.ts";
import { createBuiltinHost, type BuiltinHost } from "../../codehost/builtin/builtin.ts";
import { parseConfig } from "../../config.ts";
import { connectDatabase } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { createTestStore } from "../../analytics/testing/store.ts";
import { createNotifications } from "../../database/notifications.ts";
import type { Schema } from "../../database/schema.ts";
import { createTestProjects } from "../../projects/testing/projects.ts";
import { createService, type Service } from "../../service.ts";
import type { Jobs } from "../job.ts";
import { createJobs } from "../jobs.ts";
import { createJobSignals } from "../signals.ts";
import { createOwnDatabase } from "./own-database.ts";
import { createTaskModel, type Conversation } from "./task.ts";

/**
 * Where workers reach the repositories: in place (`docent serve` with its own worker), or over HTTP (`docent worker` and
 * `docent serve --no-worker`).
 */
export type Topology = "in place" | "over HTTP";

/** Where jobs leave what they did: a database, and a project on the built-in code host. */
export interface Scene {
  database: Kysely<Schema>;
  host: BuiltinHost;
  projectId: string;
  /** The project's bare repository. */
  gitDir: string;
}

/** A scene with a model, for workers that come and go. */
export interface Stage extends Scene {
  topology: Topology;
  jobs: Jobs;
  /**
   * The environment of a worker process. `machine`: workers of the same name find each other's mirrors. Where the
   * repositories lie in place there is only one.
   */
  environment(machine: string): Record<string, string>;
  /** A worker in this process, to go on where another has died. */
  startWorker(machine: string): Promise<Service>;
  /** Called before each answer of the model; may be replaced at any time. */
  beforeAnswer: (conversation: Conversation) => Promise<void> | void;
  /** Warnings and errors of the services in this process. */
  log: string[];
  close(): Promise<void>;
}

export interface StageOptions {
  /** Of this process: where its programs are, and what else its children shall have. */
  childEnvironment: Record<string, string>;
  /** A PostgreSQL server; the stage makes a database of its own there. */
  postgresUrl: string;
  topology: Topology;
  concurrency?: number;
}

export const SCRIPTED_MODEL = "openai-compatible:scripted";

export async function createStage(options: StageOptions): Promise<Stage> {
  const { postgresUrl, topology, childEnvironment, concurrency = 1 } = options;
  const releases: (() => Promise<unknown>)[] = [];
  const clock = (): Date => new Date();
  const log: string[] = [];
  const directory = await mkdtemp(join(tmpdir(), "docent-torture-"));
  releases.push(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const data = join(directory, "data");
  const { url: databaseUrl, drop } = await createOwnDatabase(postgresUrl);
  releases.push(drop);
  const connection = connectDatabase({ connection: databaseUrl, log: (line) => log.push(line) });
  releases.push(() => connection.close());
  const { database } = connection;
  await migrate(database);
  const model = await createScriptedModel(createTaskModel((conversation) => stage.beforeAnswer(conversation)));
  releases.push(() => model.close());
  const secret = randomBytes(32).toString("hex");
  const common: Record<string, string> = {
    DATABASE_URL: databaseUrl,
    DOCENT_SECRET: secret,
    DOCENT_ADMIN_TOKEN: randomBytes(32).toString("hex"),
    DOCENT_HOST: "127.0.0.1",
    DOCENT_PORT: "0",
    DOCENT_MODEL: SCRIPTED_MODEL,
    DOCENT_MODEL_BASE_URL: model.url,
    DOCENT_JOBS_CONCURRENCY: String(concurrency),
    DOCENT_JOBS_CONCURRENCY_PER_PROJECT: "1000",
    DOCENT_CREATES_PER_HOUR: "0",
    DOCENT_MESSAGES_PER_HOUR: "0",
    DOCENT_LOG_LEVEL: "warn",
  };
  const visitsEngine = await createTestStore();
  releases.push(() => visitsEngine.close());
  const service = (env: Record<string, string>, process: "serve" | "serve-no-worker" | "worker"): Service => {
    const write = (level: string) => (context: object | string, message?: string) =>
      void log.push(`${level} ${typeof context === "string" ? context : `${message} ${describe(context)}`}`);
    return createService(parseConfig(env, { process }), {
      // A process can have one chDB, and this one has many services.
      visitsEngine,
      log: { info: () => {}, warn: write("warn"), error: write("error") },
      onLost: (reason) => log.push(`lost ${reason}`),
    });
  };
  let publicUrl = "http://docent.test";
  if (topology === "over HTTP") {
    const host = service({ ...common, DOCENT_DATA: data }, "serve-no-worker");
    releases.push(() => host.stop());
    publicUrl = (await host.start()).url ?? "";
  }
  const builtinHost = createBuiltinHost({
    database,
    repositoriesDirectory: join(data, "repositories"),
    publicUrl,
    secret: createSecret(Buffer.from(secret)),
    clock,
  });
  const { projects, codeHosts } = createTestProjects({
    database,
    builtinHost,
    secret: createSecret(Buffer.from(secret)),
    clock,
    log: { error: (fields, message) => log.push(`${message} ${describe(fields)}`) },
  });
  releases.push(() => projects.close());
  const made = await projects.create({ name: "Torture" });
  if ("refused" in made) throw new Error(made.refused);
  const notifications = createNotifications({ connection: databaseUrl, log: (line) => log.push(line) });
  releases.push(() => notifications.close());
  const environment = (machine: string): Record<string, string> => ({
    ...common,
    DOCENT_DATA: topology === "in place" ? data : join(directory, `machine-${machine}`),
    DOCENT_PUBLIC_URL: publicUrl,
    ...childEnvironment,
  });

  const stage: Stage = {
    topology,
    database,
    host: builtinHost,
    jobs: createJobs({
      database,
      signals: createJobSignals(notifications),
      modelName: SCRIPTED_MODEL,
      repositoryUrl: codeHosts.repositoryUrl,
      clock,
    }),
    projectId: made.project.id,
    gitDir: builtinHost.repositories?.path(made.project.id) ?? "",
    environment,
    async startWorker(machine) {
      const worker = service(environment(machine), topology === "in place" ? "serve" : "worker");
      await worker.start();
      return worker;
    },
    beforeAnswer: () => {},
    log,
    async close() {
      for (const release of releases.splice(0).toReversed()) await release();
    },
  };
  return stage;
}

function describe(context: object): string {
  const error = "err" in context ? context.err : undefined;
  return error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(context);
}
