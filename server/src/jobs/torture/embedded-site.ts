import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createSecret } from "../../access/secret.ts";
import { createScriptedModel } from "../../agent/testing/scripted-model.ts";
import { createBuiltinHost } from "../../codehost/builtin/builtin.ts";
import { connectDatabase } from "../../database/database.ts";
import { startEmbeddedPostgres } from "../../database/embedded.ts";
import { findFreePort } from "../../testing/free-port.ts";
import { createPatientClient, type PatientClient } from "./patient-client.ts";
import { endChild, startDocent, startDocentUnawaited } from "../../testing/service-process.ts";
import { SCRIPTED_MODEL, type Scene } from "./stage.ts";
import { createTaskModel } from "./task.ts";

/** One `docent serve` on a data directory of its own, with the embedded database, at work with a scripted model. */
export interface EmbeddedSite {
  /** With a key of the project. */
  client: PatientClient;
  projectId: string;
  /** Starts another `serve` on the same directory and waits for its end. */
  startSecond(): Promise<{ output: string; code: number | null }>;
  /**
   * `kill -9`, and a new start on the same port.
   * @returns the milliseconds from "ready" to the next request to the model; undefined when there was nothing to do.
   */
  killAndRestart(): Promise<number | undefined>;
  /** What it left in its database and repository; it is still running. */
  openScene(): Promise<Scene>;
  close(): Promise<void>;
}

const MODEL_MS = 150;
const NOTHING_TO_DO_MS = 1_500;

export async function startEmbeddedSite(childEnvironment: Record<string, string>): Promise<EmbeddedSite> {
  const releases: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const release of releases.splice(0).toReversed()) await release();
  };
  try {
    return await start(childEnvironment, releases, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  childEnvironment: Record<string, string>,
  releases: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<EmbeddedSite> {
  const directory = await mkdtemp(join(tmpdir(), "docent-torture-embedded-"));
  releases.push(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const data = join(directory, "data");
  let onRequest = (): void => {};
  const model = await createScriptedModel(
    createTaskModel(async () => {
      onRequest();
      await delay(MODEL_MS);
    }),
  );
  releases.push(() => model.close());
  const port = await findFreePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const [adminToken, secret] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
  const env = {
    ...childEnvironment,
    DOCENT_ADMIN_TOKEN: adminToken,
    DOCENT_SECRET: secret,
    DOCENT_MODEL: SCRIPTED_MODEL,
    DOCENT_MODEL_BASE_URL: model.url,
    DOCENT_LOG_LEVEL: "warn",
    DOCENT_CREATES_PER_HOUR: "0",
    DOCENT_MESSAGES_PER_HOUR: "0",
  };
  const args = ["serve", "--port", String(port), "--data", data];
  let child = await startDocent(args, env);
  // The embedded server goes with it; after a kill it would stay.
  releases.push(async () => {
    if (child.hasEnded()) child = await startDocent(args, env);
    child.kill("SIGTERM");
    await child.ended;
  });
  const admin = createPatientClient(publicUrl, adminToken);
  const projectId = String((await admin.post("/v1/projects", { name: "Torture" }))["id"]);
  const { key } = await admin.post(`/v1/projects/${projectId}/keys`, { name: "torture", scope: "write" });

  return {
    client: createPatientClient(publicUrl, String(key)),
    projectId,
    async startSecond() {
      const second = startDocentUnawaited(["serve", "--port", "0", "--data", data], env);
      const { code } = await second.ended;
      return { output: second.output().trim(), code };
    },
    async killAndRestart() {
      await endChild(child);
      child = await startDocent(args, env);
      const ready = performance.now();
      const asked = new Promise<boolean>((resolve) => (onRequest = () => resolve(true)));
      const goesOn = await Promise.race([asked, delay(NOTHING_TO_DO_MS, false)]);
      return goesOn ? performance.now() - ready : undefined;
    },
    async openScene() {
      const server = await startEmbeddedPostgres({ directory: join(data, "postgres"), log: () => {} });
      const connection = connectDatabase({ connection: server.connection, log: () => {} });
      releases.push(() => connection.close());
      const host = createBuiltinHost({
        database: connection.database,
        repositoriesDirectory: join(data, "repositories"),
        publicUrl,
        secret: createSecret(Buffer.from(secret)),
        clock: () => new Date(),
      });
      const gitDir = host.repositories?.path(projectId) ?? "";
      return { database: connection.database, host, projectId, gitDir };
    },
    close,
  };
}
