import type { Expectation } from "../expectation.ts";
import { readTasks } from "../task.ts";
import type { JobRecord } from "./record.ts";

/** A job that rests holds nothing that a worker would need. */
export function checkRow({ job, transcript, turns, pullRequests }: JobRecord, expectation: Expectation): string[] {
  const found: string[] = [];
  const expect = (holds: boolean, sentence: string): void => void (holds || found.push(sentence));
  expect(
    job.status === expectation.status,
    `It is ${job.status}, not ${expectation.status}${job.failure_reason === null ? "" : `: ${job.failure_reason}`}.`,
  );
  if (expectation.failureReason !== undefined) {
    expect(expectation.failureReason.test(job.failure_reason ?? ""), `It failed because: ${job.failure_reason}`);
  }
  expect(job.lease_expires_at === null && job.worker === null, "Somebody still holds it.");
  expect(job.publish === null, "An intent to publish is left.");
  expect(job.turn_started_at === null || job.status === "archived", "A turn is still open.");
  const answers = transcript.filter((entry) => entry.type === "answer");
  expect(job.steps === answers.length, `It counts ${job.steps} steps and has ${answers.length} answers.`);
  const tokens = answers.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
  expect(job.input_tokens + job.output_tokens === tokens, "Its tokens are not those of its answers.");
  if (job.status !== "archived") {
    expect(
      turns.every((turn) => turn.outcome !== undefined && turn.prompts.length > 0),
      "A turn took no message, or did not end.",
    );
  }
  for (const { prompts, outcome } of turns) {
    const isMeant = prompts.flatMap(readTasks).some((task) => task.givesUp === true) || expectation.status === "failed";
    expect(outcome !== "failed" || isMeant, `A turn failed on its way: ${prompts.join(" ").slice(0, 80)}`);
  }
  const last = pullRequests.at(-1);
  expect(
    (job.pull_request_number ?? undefined) === last?.number,
    `It names pull request ${job.pull_request_number}; its last one is ${last?.number}.`,
  );
  if (last !== undefined) {
    expect(job.pull_request_url?.endsWith(`/pull/${last.number}`) === true, `Its link is ${job.pull_request_url}.`);
    expect(job.branch === last.head_branch, `It names the branch ${job.branch}, its pull request ${last.head_branch}.`);
  }
  return found;
}
