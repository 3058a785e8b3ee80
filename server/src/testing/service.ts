import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../config.ts";
import type { CodeHostName, ProjectSettings } from "../database/schema.ts";
import { createTestStore } from "../analytics/testing/store.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/postgres.ts";
import { createLog } from "../log.ts";
import { createService } from "../service.ts";

export interface ProjectCreation {
  /** What to import, or to work on with another code host; absent: a repository of its own with a starter page. */
  repository?: string;
  codeHost?: CodeHostName;
  codeHostUrl?: string;
  credential?: object;
  settings?: ProjectSettings;
}

export interface TestService {
  url: string;
  adminToken: string;
  database: TestDatabase;
  /** Makes a project and a key for it, through the API. */
  createProject(creation?: ProjectCreation): Promise<{ projectId: string; key: string }>;
  /** Stops it and starts it again at the same address, on the same data without the visits. */
  restart(whileStopped?: () => Promise<unknown>): Promise<void>;
  /** What it logged, warnings and errors unless more was asked for; one JSON object a line. */
  log(): string;
  close(): Promise<void>;
}

/** The whole service, worker and code host included, on a database and a data directory of its own. */
export async function startTestService(
  environment: Record<string, string> = {},
  { logLevel = "warn", ...options }: { clock?: () => Date; logLevel?: "trace" | "warn"; dashboard?: string } = {},
): Promise<TestService> {
  const database = await createTestDatabase();
  const data = await mkdtemp(join(tmpdir(), "docent-test-service-"));
  let logged = "";
  const log = createLog(logLevel, { write: (line) => void (logged += line) });
  async function createOn(port: string) {
    const config = parseConfig({
      DATABASE_URL: database.url,
      DOCENT_DATA: data,
      DOCENT_PORT: port,
      DOCENT_CREATES_PER_HOUR: "0",
      DOCENT_MESSAGES_PER_HOUR: "0",
      ...environment,
    });
    return createService(config, { log, visitsEngine: await createTestStore(), ...options });
  }
  let service = await createOn("0");
  const { url, adminToken } = await service.start();
  if (url === null) throw new Error("The service serves nothing.");

  async function post(path: string, body: object): Promise<Record<string, string>> {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json() as Promise<Record<string, string>>;
  }

  return {
    url,
    adminToken,
    database,
    async createProject(creation = {}) {
      const { id = "" } = await post("/v1/projects", { name: "Docs", ...creation });
      const { key = "" } = await post(`/v1/projects/${id}/keys`, { name: "test" });
      return { projectId: id, key };
    },
    async restart(whileStopped) {
      await service.stop();
      await whileStopped?.();
      service = await createOn(new URL(url).port);
      await service.start();
    },
    log: () => logged,
    async close() {
      await service.stop();
      await database.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}
