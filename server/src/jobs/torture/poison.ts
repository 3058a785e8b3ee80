import { releaseAllJobs } from "../claim.ts";
import { createJob } from "./client.ts";
import { findViolations } from "./invariants.ts";
import { prepareVictim } from "./life.ts";
import type { Order } from "./point.ts";
import { FOLLOW_UP } from "./shape.ts";
import type { Stage } from "./stage.ts";
import { page } from "./task.ts";

const AT_THE_MODEL: Order = {
  name: "model: POST /v1/chat/completions",
  occurrence: 1,
  moment: "during",
  action: "kill",
};

/** A job whose model call kills its worker, whoever it is and each time. */
export async function runPoisonousJob(stage: Stage): Promise<{ deaths: number; reason: string; violations: string[] }> {
  const client = await createJob(stage, { id: "poison", files: { "poison.mdx": page("Poison", "Never written.") } });
  const resting = client.rest();
  let isResting = false;
  void resting.then(() => (isResting = true));
  let deaths = 0;
  let victim = prepareVictim(stage, FOLLOW_UP, AT_THE_MODEL, "poisoned");
  for (;;) {
    const current = victim;
    current.start();
    const died = await Promise.race([current.child.ended.then(() => true), resting.then(() => false)]);
    if (!died || isResting) {
      current.child.kill("SIGKILL");
      await current.child.ended;
      break;
    }
    deaths += 1;
    await releaseAllJobs(stage.database);
    victim = prepareVictim(stage, FOLLOW_UP, AT_THE_MODEL, "poisoned");
  }
  const job = await resting;
  const violations = await findViolations(stage, {
    jobId: client.jobId,
    tasks: client.tasks,
    status: "failed",
    failureReason: /picked up 5 times without getting a step further/,
  });
  return { deaths, reason: job.failureReason ?? "", violations };
}
