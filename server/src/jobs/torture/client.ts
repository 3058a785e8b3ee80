import { setTimeout as delay } from "node:timers/promises";
import type { Job } from "../job.ts";
import type { Stage } from "./stage.ts";
import { taskPrompt, type Task } from "./task.ts";

/** A client of one job: what it sends, and when it sees the job rest. */
export interface JobClient {
  jobId: string;
  /** Everything that was acknowledged, in order. */
  tasks: Task[];
  message(task: Task): Promise<void>;
  archive(): Promise<void>;
  /** Waits until the job rests and nobody works on it any more. */
  rest(): Promise<Job>;
}

const REST_MS_MAX = 120_000;
const POLL_MS = 20;

export async function createJob(stage: Stage, task: Task): Promise<JobClient> {
  const created = await stage.jobs.create(stage.projectId, { prompt: taskPrompt(task) });
  if ("refused" in created) throw new Error(`The job was refused: ${created.refused}`);
  const jobId = created.job.id;
  const tasks = [task];
  let position = 0;

  async function ended(signal: AbortSignal): Promise<Job> {
    const events = await stage.jobs.events(stage.projectId, jobId, { after: position, signal });
    for await (const event of events ?? []) {
      if (event.type === "delta") continue;
      position = event.position;
      if (event.type !== "status") continue;
      const job = await stage.jobs.get(stage.projectId, jobId);
      if (job !== undefined && job.status !== "active") return job;
    }
    const job = await stage.jobs.get(stage.projectId, jobId);
    if (job?.status === "archived") return job;
    throw new Error(`The job ${jobId} does not come to rest; it is ${job?.status}.`);
  }

  return {
    jobId,
    tasks,
    async message(next) {
      const answer = await stage.jobs.message(stage.projectId, jobId, { prompt: taskPrompt(next) });
      if ("refused" in answer) throw new Error(`The message was refused: ${answer.refused}`);
      tasks.push(next);
    },
    async archive() {
      await stage.jobs.archive(stage.projectId, jobId);
    },
    async rest() {
      const signal = AbortSignal.timeout(REST_MS_MAX);
      const job = await ended(signal);
      // A publication that was begun is carried on after an archive; no event tells of its end.
      while (job.status === "archived" && !signal.aborted) {
        const row = await stage.database
          .selectFrom("jobs")
          .select(["publish", "lease_expires_at"])
          .where("id", "=", jobId)
          .executeTakeFirstOrThrow();
        if (row.publish === null && row.lease_expires_at === null) break;
        await delay(POLL_MS);
      }
      return (await stage.jobs.get(stage.projectId, jobId)) ?? job;
    },
  };
}
