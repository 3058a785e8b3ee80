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
import { findFreePort } from "./free-port.ts";
import { findViolations } from "./invariants.ts";
import { checkRepository } from "./invariants/repository.ts";
import { createPatientClient } from "./patient-client.ts";
import { createRandom } from "./random.ts";
import { randomTask } from "./random-tasks.ts";
import { endChild, startDocent, startDocentUnawaited } from "./service-process.ts";
import { SCRIPTED_MODEL } from "./stage.ts";
import { createTaskModel, taskPrompt, type Task } from "./task.ts";

export interface EmbeddedOptions {
  childEnvironment: Record<string, string>;
  seed: number;
  jobs: number;
  kills: number;
  onNews?: (line: string) => void;
}

export interface EmbeddedRun {
  /** From "ready" after each `kill -9` to the next request to the model, where a job was under way. */
  goesOnMs: number[];
  /** What a second `serve` on the same directory said, and its exit code. */
  refusal: { output: string; code: number | null };
  kills: number;
  /** Requests of the client that got no answer, and were made again. */
  unanswered: number;
  seconds: number;
  violations: string[];
}

const MODEL_MS = 150;
const BETWEEN_KILLS_MS: readonly [number, number] = [200, 1_500];

/** `docent serve` with everything in one process, killed again and again under jobs that clients send over HTTP. */
export async function runEmbedded(options: EmbeddedOptions): Promise<EmbeddedRun> {
  const started = performance.now();
  const random = createRandom(options.seed);
  const releases: (() => Promise<unknown>)[] = [];
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
    ...options.childEnvironment,
    DOCENT_ADMIN_TOKEN: adminToken,
    DOCENT_SECRET: secret,
    DOCENT_MODEL: SCRIPTED_MODEL,
    DOCENT_MODEL_BASE_URL: model.url,
    DOCENT_LOG_LEVEL: "warn",
    DOCENT_CREATES_PER_HOUR: "0",
    DOCENT_MESSAGES_PER_HOUR: "0",
  };
  const args = ["serve", "--port", String(port), "--data", data];
  try {
    let child = await startDocent(args, env);
    releases.push(async () => {
      child.kill("SIGTERM");
      await child.ended;
    });
    const second = startDocentUnawaited(["serve", "--port", "0", "--data", data], env);
    const { code } = await second.ended;
    const refusal = { output: second.output().trim(), code };

    const admin = createPatientClient(publicUrl, adminToken);
    const project = await admin.post("/v1/projects", { name: "Torture" });
    const projectId = String(project["id"]);
    const made = await admin.post(`/v1/projects/${projectId}/keys`, { name: "torture", scope: "write" });
    const client = createPatientClient(publicUrl, String(made["key"]));

    const lives: Promise<{ jobId: string; tasks: Task[] }>[] = [];
    for (let index = 0; index < options.jobs; index++) lives.push(live(index));

    async function live(index: number): Promise<{ jobId: string; tasks: Task[] }> {
      const own = createRandom(options.seed * 1_000 + index);
      const tasks = [randomTask(own, `job${index + 1}`, 1)];
      await delay(own.between(0, options.kills * 400));
      const job = await client.post(`/v2/agent/${projectId}/job`, { prompt: taskPrompt(tasks[0] as Task) });
      const path = `/v2/agent/${projectId}/job/${String(job["id"])}`;
      const next = randomTask(own, `job${index + 1}`, 2);
      await delay(own.between(0, options.kills * 400));
      await client.post(`${path}/message`, { prompt: taskPrompt(next) });
      tasks.push(next);
      while ((await client.get(path))["status"] === "active") await delay(100);
      options.onNews?.(`job${index + 1} rests`);
      return { jobId: String(job["id"]), tasks };
    }

    const goesOnMs: number[] = [];
    for (let kill = 1; kill <= options.kills; kill++) {
      await delay(random.between(...BETWEEN_KILLS_MS));
      await endChild(child);
      child = await startDocent(args, env);
      const ready = performance.now();
      const asked = await Promise.race([
        new Promise<boolean>((resolve) => (onRequest = () => resolve(true))),
        delay(1_500, false),
      ]);
      if (asked) goesOnMs.push(performance.now() - ready);
      options.onNews?.(`killed ${kill} of ${options.kills}`);
    }
    const ended = await Promise.all(lives);

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
    const scene = { database: connection.database, host, projectId, gitDir };
    const violations: string[] = [];
    for (const { jobId, tasks } of ended) {
      violations.push(...(await findViolations(scene, { jobId, tasks, status: "completed" })));
    }
    violations.push(...(await checkRepository(scene)));
    const jobs = await connection.database.selectFrom("jobs").select("id").execute();
    if (jobs.length !== options.jobs) violations.push(`There are ${jobs.length} jobs, ${options.jobs} were sent.`);
    return {
      goesOnMs,
      refusal,
      kills: options.kills,
      unanswered: client.failures(),
      seconds: (performance.now() - started) / 1000,
      violations,
    };
  } finally {
    for (const release of releases.toReversed()) await release();
  }
}
