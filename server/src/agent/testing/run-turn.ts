import type { Agent } from "../agent.ts";
import { nextAction, type NextAction } from "../loop.ts";
import type { TranscriptEntry } from "../transcript.ts";
import type { Workspace } from "../../workspace/workspace.ts";

const STEPS_MAX = 500;

/** Works a transcript to the end of its turn, as a job does but with nothing persisted. Appends to the transcript. */
export async function runTurn(
  agent: Agent,
  workspace: Workspace,
  transcript: TranscriptEntry[],
): Promise<Extract<NextAction, { type: "finish" | "give-up" }>> {
  const { signal } = new AbortController();
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const action = nextAction(transcript, {});
    if (action.type === "finish" || action.type === "give-up") return action;
    if (action.type === "call-model") {
      transcript.push({ type: "answer", ...(await agent.callModel(transcript, { signal })) });
    } else {
      const output = await agent.runTool(action.call, { workspace, transcript, signal });
      const { toolCallId, toolName } = action.call;
      transcript.push({ type: "tool-result", toolCallId, toolName, output });
    }
  }
  throw new Error(`The turn did not end within ${STEPS_MAX} steps.`);
}
