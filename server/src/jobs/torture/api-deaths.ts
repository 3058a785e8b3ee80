import { createKeys } from "../../access/keys.ts";
import { findFreePort } from "../../testing/free-port.ts";
import { createPatientClient, type PatientClient } from "./patient-client.ts";
import { pointKey, type Moment, type Order, type Point } from "./point.ts";
import { endChild, isReady, startDocent } from "../../testing/service-process.ts";
import { createStage, type Stage, type StageOptions } from "./stage.ts";
import { page, taskPrompt } from "./task.ts";
import { startVictim, type Victim } from "./victim.ts";

export interface ApiDeaths {
  points: Point[];
  lives: number;
  seconds: number;
  /** What is wrong, by the point at which it went wrong. */
  violations: string[];
}

/**
 * Kills the server of the API at each write of creating a job, sending a message and archiving it. The client asks again
 * with the same `Idempotency-Key`; in the end each was done once.
 */
export async function runApiDeaths(
  options: Omit<StageOptions, "topology"> & { moments: readonly Moment[]; onLife?: (line: string) => void },
): Promise<ApiDeaths> {
  const started = performance.now();
  const stage = await createStage({ ...options, topology: "in place" });
  try {
    const keys = createKeys({ database: stage.database, clock: () => new Date() });
    const issued = await keys.issue(stage.projectId, { name: "torture", scope: "write" });
    if ("refused" in issued) throw new Error(issued.refused);
    const calm = await live(stage, issued.key, null);
    if (calm.violations.length > 0) throw new Error(`Undisturbed already: ${calm.violations.join("\n")}`);
    const violations: string[] = [];
    let lives = 0;
    for (const point of calm.points) {
      for (const moment of options.moments) {
        const order: Order = { name: point.name, occurrence: point.occurrence, moment, action: "kill" };
        const found = (await live(stage, issued.key, order)).violations;
        lives += 1;
        violations.push(...found.map((violation) => `${moment} ${pointKey(point)}: ${violation}`));
        options.onLife?.(`${moment} ${pointKey(point)} ${found.length === 0 ? "" : found.join(" ")}`);
      }
    }
    return { points: calm.points, lives, seconds: (performance.now() - started) / 1000, violations };
  } finally {
    await stage.close();
  }
}

async function live(
  stage: Stage,
  key: string,
  order: Order | null,
): Promise<{ points: Point[]; violations: string[] }> {
  const port = await findFreePort();
  const env = { ...stage.environment("api"), DOCENT_PORT: String(port) };
  const victim: Victim = startVictim(
    { process: "serve-no-worker", armedBy: "line", orders: order === null ? [] : [order] },
    env,
  );
  let next: Awaited<ReturnType<typeof startDocent>> | undefined;
  try {
    victim.start();
    await victim.child.line(1, isReady);
    victim.child.send("arm");
    await victim.armed();
    const client = createPatientClient(`http://127.0.0.1:${port}`, key);
    const playing = play(stage, client);
    playing.catch(() => {});
    if (order !== null) {
      const died = await Promise.race([victim.child.ended.then(() => true), playing.then(() => false)]);
      if (!died) return { points: [], violations: ["It did not come by this point."] };
      next = await startDocent(["serve", "--no-worker"], env);
    }
    const violations = await playing;
    return { points: victim.passed, violations };
  } catch (error) {
    return { points: [], violations: [String(error)] };
  } finally {
    for (const child of [victim.child, next]) if (child !== undefined) await endChild(child);
  }
}

async function play({ database, projectId }: Stage, client: PatientClient): Promise<string[]> {
  const before = await database.selectFrom("jobs").select("id").execute();
  const prompts = [1, 2].map((n) => taskPrompt({ id: `api-${n}`, files: { [`api-${n}.mdx`]: page(`${n}`, "-") } }));
  const job = await client.post(`/v2/agent/${projectId}/job`, { prompt: prompts[0] });
  const id = String(job["id"]);
  await client.post(`/v2/agent/${projectId}/job/${id}/message`, { prompt: prompts[1] });
  const archived = await client.post(`/v2/agent/${projectId}/job/${id}/archive`, {});

  const known = new Set(before.map((row) => row.id));
  const jobs = await database.selectFrom("jobs").selectAll().execute();
  const made = jobs.filter((row) => !known.has(row.id));
  const messages = await database
    .selectFrom("job_messages")
    .select("prompt")
    .where("job_id", "=", id)
    .orderBy("sequence")
    .execute();
  const events = await database
    .selectFrom("job_events")
    .select(["type", "position"])
    .where("job_id", "=", id)
    .orderBy("position")
    .execute();
  const violations: string[] = [];
  if (made.length !== 1 || made[0]?.id !== id) violations.push(`${made.length} jobs were made of one request.`);
  if (archived["status"] !== "archived" || made[0]?.status !== "archived") violations.push("It is not archived.");
  if (messages.map((message) => message.prompt).join() !== prompts.join()) {
    violations.push(`It has ${messages.length} messages.`);
  }
  const told = events.map((event) => `${event.position} ${event.type}`).join();
  if (told !== "1 message,2 message,3 status") violations.push(`Its events are ${told}.`);
  return violations;
}
