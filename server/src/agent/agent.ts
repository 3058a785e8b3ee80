import { callModel, declareTools, type CallOptions } from "./call-model.ts";
import type { ResolvedModel } from "./models/models.ts";
import { summarize } from "./summarize.ts";
import { createToolRunner } from "./tools/run.ts";
import { createTools } from "./tools/tools.ts";
import type { ToolContext } from "./tools/tool.ts";
import type { Answer, Compaction, ToolCall, ToolOutput, Transcript } from "./transcript.ts";
import type { AnswerTimes } from "./watchdog.ts";

export { CONTEXT_TOKENS_ASSUMED, nextCompaction } from "./compaction.ts";
export { nextAction } from "./loop.ts";
export { CHANGES_DISCARDED_NOTE } from "./messages.ts";
export { ModelCallError, type ModelFailure } from "./model-failure.ts";
export { systemPrompt } from "./prompts.ts";

export interface Agent {
  /**
   * The next answer of a model, sanitised; nothing is run. What passes within seconds is tried again.
   * @throws ModelCallError, or the abort's reason
   */
  callModel(model: ResolvedModel, transcript: Transcript, options: AgentCallOptions): Promise<Answer>;
  /** A model's summary of the conversation so far. Throws like `callModel`. */
  summarize(
    model: ResolvedModel,
    transcript: Transcript,
    options: AgentCallOptions,
  ): Promise<Extract<Compaction, { stage: "summary" }>>;
  /**
   * Runs one tool call. Whatever the model got wrong is an `error-text` output that says how to mend it. What throws
   * is not the model's fault: an abort, or git that fails.
   */
  runTool(call: ToolCall, context: ToolContext): Promise<ToolOutput>;
}

export type AgentCallOptions = Pick<CallOptions, "signal" | "onText">;

export interface AgentOptions {
  /** The job's own model; answers of another one name it. */
  ownModel: string;
  instructions: string;
  times: AnswerTimes;
  /** Puts prompts, documents and answers into traces. */
  traceContent: boolean;
  /** Waits between two tries. */
  delay: CallOptions["delay"];
}

// The tools keep nothing between calls, and compiling their schemas takes several milliseconds.
const TOOLS = createTools();
const DECLARED_TOOLS = declareTools(TOOLS);
const runTool = createToolRunner(TOOLS);

/** The agent that works on documentation, with its instructions and the documentation tools. It holds no state. */
export function createAgent({ delay, ...options }: AgentOptions): Agent {
  return {
    callModel: (model, transcript, call) =>
      callModel({ ...options, model, tools: DECLARED_TOOLS }, transcript, { ...call, delay }),
    summarize: (model, transcript, call) => summarize({ ...options, model }, transcript, { ...call, delay }),
    runTool,
  };
}
