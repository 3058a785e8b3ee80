import { createDocent, type Docent, type Job } from "@docent/sdk";
import type { Service } from "./service.ts";

/** A project and a client with a key for it. */
export interface BenchProject {
  id: string;
  key: string;
  docent: Docent;
}

/** Makes a project from a repository on this machine and waits for the import. */
export async function createProject(service: Service, name: string, repository: string): Promise<BenchProject> {
  const admin = createDocent({ baseUrl: service.url, adminToken: service.adminToken });
  const created = await admin.projects.create({ name, repository });
  const project = await admin.projects.waitUntilReady(created.id, { pollMs: 20 });
  const { key } = await admin.keys.create(project.id, { name: "bench" });
  return { id: project.id, key, docent: createDocent({ baseUrl: service.url, apiKey: key }) };
}

/**
 * Creates a job and follows its events to the end of the work, as a client that watches does.
 * @returns the job, and the milliseconds from just before the request to the event that says its status.
 */
export async function followJob({ docent, id }: BenchProject, prompt: string): Promise<{ ms: number; job: Job }> {
  const began = performance.now();
  const created = await docent.jobs.create(id, { prompt });
  for await (const event of docent.jobs.events(id, created.id)) {
    if (event.type !== "status" || event.data["status"] === "active") continue;
    const ms = performance.now() - began;
    return { ms, job: await docent.jobs.get(id, created.id) };
  }
  throw new Error("The job's events ended before its work.");
}

/**
 * The same for a job that must succeed.
 * @throws Error when it did not end with a pull request.
 */
export async function timeJob(project: BenchProject, prompt: string): Promise<{ ms: number; job: Job }> {
  const { ms, job } = await followJob(project, prompt);
  if (job.prLink !== null) return { ms, job };
  throw new Error(`The job ended as ${job.status} without a pull request: ${job.failureReason ?? "nothing changed"}`);
}
