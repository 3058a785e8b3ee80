import type { LanguageModelV4 } from "@ai-sdk/provider";
import { callModel, declareTools } from "./call-model.ts";
import { createToolRunner } from "./tools/run.ts";
import { createTools } from "./tools/tools.ts";
import type { ToolContext } from "./tools/tool.ts";
import type { Answer, ToolCall, ToolOutput, Transcript } from "./transcript.ts";

export { nextAction } from "./loop.ts";
export { CHANGES_DISCARDED_NOTE } from "./messages.ts";
export { describeModelFailure } from "./model-failure.ts";
export { systemPrompt } from "./prompts.ts";

export interface Agent {
  /** The model's next answer, sanitised; nothing is run. Throws what `describeModelFailure` explains, or the abort's reason. */
  callModel(transcript: Transcript, options: { signal: AbortSignal }): Promise<Answer>;
  /**
   * Runs one tool call. Whatever the model got wrong is an `error-text` output that says how to mend it. What throws
   * is not the model's fault: an abort, or git that fails.
   */
  runTool(call: ToolCall, context: ToolContext): Promise<ToolOutput>;
}

// The tools keep nothing between calls, and compiling their schemas takes several milliseconds.
const TOOLS = createTools();
const DECLARED_TOOLS = declareTools(TOOLS);
const runTool = createToolRunner(TOOLS);

/** The agent that works on documentation: a model with its instructions and the documentation tools. It holds no state. */
export function createAgent({ model, instructions }: { model: LanguageModelV4; instructions: string }): Agent {
  return {
    callModel: (transcript, options) => callModel({ model, instructions, tools: DECLARED_TOOLS }, transcript, options),
    runTool,
  };
}
