import type { AddressInfo } from "node:net";
import { createAuthorization } from "../../../server/src/access/authorization.ts";
import { createKeys } from "../../../server/src/access/keys.ts";
import { createAnalytics, type Analytics } from "../../../server/src/analytics/analytics.ts";
import { createClassifier } from "../../../server/src/analytics/classify/classify.ts";
import { createSalts } from "../../../server/src/analytics/collect/salts.ts";
import { createCollectSettings } from "../../../server/src/analytics/collect/settings.ts";
import { createLogImports, type LogImports } from "../../../server/src/analytics/import/import.ts";
import { createTestProject } from "../../../server/src/analytics/testing/project.ts";
import { createTestStore } from "../../../server/src/analytics/testing/store.ts";
import type { AnalyticsSettings } from "../../../server/src/database/schema.ts";
import { createTestDatabase, type TestDatabase } from "../../../server/src/database/testing/postgres.ts";
import { createHttpServer } from "../../../server/src/http/http.ts";
import { createImportRoutes } from "../../../server/src/http/imports.ts";
import { createLog } from "../../../server/src/log.ts";

export interface ImportServer {
  url: string;
  database: TestDatabase;
  analytics: Analytics;
  createProject(settings?: AnalyticsSettings): Promise<{ projectId: string; key: string }>;
  /** Every stored view of a project, as `path time`, sorted. */
  storedViews(projectId: string): Promise<string[]>;
  close(): Promise<void>;
}

export interface ImportServerOptions {
  clock?: () => Date;
  /** Stands before the imports, to make them fail. */
  wrapImports?: (imports: LogImports) => LogImports;
}

/** The import of logs over HTTP with all it stands on: keys, PostgreSQL and chDB. */
export async function startImportServer(options: ImportServerOptions = {}): Promise<ImportServer> {
  const connection = await createTestDatabase();
  const { database } = connection;
  const engine = await createTestStore();
  const clock = options.clock ?? (() => new Date());
  const log = createLog("silent", { write: () => undefined });
  const analytics = await createAnalytics({ engine, database, owner: "test", isAlone: true, clock, log });
  const imports = createLogImports({
    database,
    visits: analytics.visits,
    classify: createClassifier(),
    salts: createSalts({ database, clock }),
    settings: createCollectSettings({ database, clock }),
    clock,
  });
  const keys = createKeys({ database, clock });
  // No job, project or person is asked for here.
  const unused = Object.create(null);
  const authorization = createAuthorization({
    keys,
    people: unused,
    projectExists: unused,
    adminToken: "an-admin-token-of-the-tests",
    publicUrl: "http://docent.test",
  });
  const app = await createHttpServer({
    jobs: unused,
    projects: unused,
    credentials: unused,
    keys,
    authorization,
    limits: unused,
    createsPerHour: 0,
    messagesPerHour: 0,
    trustedProxies: [],
    clock,
    log: () => {},
    health: async () => {},
    plugins: [createImportRoutes({ imports: options.wrapImports?.(imports) ?? imports, authorization })],
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    database: connection,
    analytics,
    async createProject(settings = {}) {
      const id = await createTestProject(database, settings);
      const issued = await keys.issue(id, { name: "test", scope: "collect" });
      if ("refused" in issued) throw new Error(issued.refused);
      return { projectId: id, key: issued.key };
    },
    async storedViews(projectId) {
      const batches = await database
        .selectFrom("analytics_batches")
        .select("batch")
        .where("project_id", "=", projectId)
        .where("state", "=", "stored")
        .execute();
      const rows = await engine.query<{ view: string }>(
        "select concat(path, ' ', toString(toUnixTimestamp(time))) as view from {database:Identifier}.views where project = {project:String} and batch in {batches:Array(UInt64)} order by view",
        { project: projectId, batches: batches.map(({ batch }) => batch) },
      );
      return rows.map(({ view }) => view);
    },
    async close() {
      await app.close();
      await analytics.close();
      await engine.close();
      await connection.close();
    },
  };
}
