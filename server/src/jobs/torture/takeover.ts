import { createJob } from "./client.ts";
import { findViolations } from "./invariants.ts";
import { endChild, startDocent } from "../../testing/service-process.ts";
import type { Stage } from "./stage.ts";
import { page } from "./task.ts";

/** Two workers on one PostgreSQL, one dies in the middle of a turn. Milliseconds from the kill. */
export interface Takeover {
  /** Until the other worker has asked the model. */
  goesOnMs: number;
  finishesMs: number;
  violations: string[];
}

export async function runTakeover(stage: Stage): Promise<Takeover> {
  const first = await startDocent(["worker"], stage.environment("first"));
  const asked = createLatch();
  const askedAgain = createLatch();
  let requests = 0;
  stage.beforeAnswer = async () => {
    requests += 1;
    if (requests > 1) return askedAgain.open();
    asked.open();
    // The first worker never gets its answer.
    await askedAgain.opened;
  };
  const client = await createJob(stage, { id: "takeover", files: { "takeover.mdx": page("Takeover", "Done.") } });
  const others: Awaited<ReturnType<typeof startDocent>>[] = [];
  try {
    await asked.opened;
    others.push(await startDocent(["worker"], stage.environment("second")));
    const killed = performance.now();
    await endChild(first);
    await askedAgain.opened;
    const goesOnMs = performance.now() - killed;
    await client.rest();
    const finishesMs = performance.now() - killed;
    const expectation = { jobId: client.jobId, tasks: client.tasks, status: "completed" } as const;
    return { goesOnMs, finishesMs, violations: await findViolations(stage, expectation) };
  } finally {
    for (const child of [first, ...others]) await endChild(child);
  }
}

function createLatch(): { open(): void; opened: Promise<void> } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}
