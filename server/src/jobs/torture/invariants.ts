import type { Scene } from "./stage.ts";
import type { Expectation } from "./expectation.ts";
import { checkBranches } from "./invariants/branches.ts";
import { checkMessages } from "./invariants/messages.ts";
import { readRecord } from "./invariants/record.ts";
import { checkRow } from "./invariants/row.ts";
import { checkTranscript } from "./invariants/transcript.ts";

/**
 * Looks at a job that has come to rest, and at everything that it left in the database and in the repository.
 * @returns what is wrong, one sentence each; empty when all is as it must be
 */
export async function findViolations(stage: Scene, expectation: Expectation): Promise<string[]> {
  // A pull request that a worker elsewhere opened knows its commits after the first look where the repository is.
  await stage.host.refresh(stage.projectId);
  const record = await readRecord(stage, expectation.jobId);
  return [
    ...checkRow(record, expectation),
    ...checkMessages(record, expectation),
    ...checkTranscript(record, expectation),
    ...(await checkBranches(stage, record, expectation)),
  ];
}
