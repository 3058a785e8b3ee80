import type { Expectation } from "../expectation.ts";
import type { JobRecord } from "./record.ts";

/** A history that every model accepts: positions without a gap, and each tool call answered once, before anything else. */
export function checkTranscript({ job, events, transcript }: JobRecord, expectation: Expectation): string[] {
  const found: string[] = [];
  const gap = events.findIndex((event, index) => event.position !== index + 1);
  if (gap >= 0) found.push(`Position ${gap + 1} is missing from its events.`);
  if (job.last_position !== events.length) found.push(`Its last position is ${job.last_position} of ${events.length}.`);

  const seen = new Set<string>();
  let open: string[] = [];
  for (const entry of transcript) {
    if (entry.type === "tool-result") {
      const next = open.shift();
      if (next !== entry.toolCallId) found.push(`The result of ${entry.toolCallId} stands where ${next} was due.`);
      if (entry.output.type === "error-text") found.push(`${entry.toolName} answered: ${entry.output.value}`);
      continue;
    }
    if (open.length > 0) found.push(`The calls ${open.join()} have no result before the next ${entry.type}.`);
    open = [];
    if (entry.type !== "answer") continue;
    for (const part of entry.content) {
      if (part.type !== "tool-call") continue;
      if (seen.has(part.toolCallId)) found.push(`The call ${part.toolCallId} is there twice.`);
      seen.add(part.toolCallId);
      open.push(part.toolCallId);
    }
  }
  if (open.length > 0 && expectation.status === "completed") found.push(`The calls ${open.join()} have no result.`);

  // An answer is asked for after words or results; two in a row are one step done twice.
  transcript.forEach((entry, index) => {
    const before = transcript[index - 1];
    if (entry.type !== "answer" || before?.type !== "answer") return;
    if (before.content.some((part) => part.type === "tool-call")) return;
    found.push(`Two answers stand in a row at entry ${index}.`);
  });
  return found;
}
