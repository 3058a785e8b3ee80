import { createAgent, type Agent } from "../agent.ts";
import { nextAction, type LoopLimits, type NextAction } from "../loop.ts";
import { FREE } from "../models/facts.ts";
import type { ResolvedModel } from "../models/models.ts";
import type { Answer, Compaction, Transcript, TranscriptEntry } from "../transcript.ts";
import type { Workspace } from "../../workspace/workspace.ts";

const STEPS_MAX = 500;

/** An agent with one model, which waits for nothing between two tries. */
export interface TestAgent extends Pick<Agent, "runTool"> {
  callModel(transcript: Transcript, options?: Partial<Parameters<Agent["callModel"]>[2]>): Promise<Answer>;
  summarize(transcript: Transcript): Promise<Compaction>;
}

export function createTestAgent(options: {
  model: ResolvedModel | ResolvedModel["model"];
  instructions: string;
  times?: Partial<Parameters<typeof createAgent>[0]["times"]>;
  traceContent?: boolean;
  /** Sees every wait between two tries. */
  onWait?: (ms: number) => void;
}): TestAgent {
  const { model, instructions, times = {}, onWait } = options;
  const resolved: ResolvedModel =
    "facts" in model ? model : { name: "docent:offline", provider: "docent", model, facts: FREE };
  const agent = createAgent({
    ownModel: resolved.name,
    instructions,
    times: { startMs: 30_000, pauseMs: 30_000, answerMs: 60_000, ...times },
    traceContent: options.traceContent ?? false,
    delay: async (ms) => onWait?.(ms),
  });
  const { signal } = new AbortController();
  return {
    runTool: agent.runTool,
    callModel: (transcript, call = {}) => agent.callModel(resolved, transcript, { signal, ...call }),
    summarize: (transcript) => agent.summarize(resolved, transcript, { signal }),
  };
}

/** Works a transcript to the end of its turn, as a job does but with nothing persisted. Appends to the transcript. */
export async function runTurn(
  agent: TestAgent,
  workspace: Workspace,
  transcript: TranscriptEntry[],
  limits: LoopLimits = {},
): Promise<Extract<NextAction, { type: "finish" | "give-up" }>> {
  const { signal } = new AbortController();
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const action = nextAction(transcript, limits);
    if (action.type === "finish" || action.type === "give-up") return action;
    if (action.type === "call-model") {
      transcript.push({ type: "answer", ...(await agent.callModel(transcript)) });
    } else if (action.type === "compact") {
      const isTrim = action.stage === "trim";
      transcript.push(isTrim ? { type: "compaction", stage: "trim" } : await agent.summarize(transcript));
    } else {
      const output = await agent.runTool(action.call, { workspace, transcript, signal });
      const { toolCallId, toolName } = action.call;
      transcript.push({ type: "tool-result", toolCallId, toolName, output });
    }
  }
  throw new Error(`The turn did not end within ${STEPS_MAX} steps.`);
}
