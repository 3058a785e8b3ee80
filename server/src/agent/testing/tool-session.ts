import type { JSONValue } from "@ai-sdk/provider";
import { createToolRunner } from "../tools/run.ts";
import { createTools } from "../tools/tools.ts";
import type { ToolOutput, TranscriptEntry } from "../transcript.ts";
import { createTestWorkspace, type TestWorkspace, type TestWorkspaceOptions } from "./test-workspace.ts";

export interface ToolSession extends TestWorkspace {
  /** Runs a tool as a model's call would, remembered in the session's transcript. */
  run(toolName: string, input: JSONValue): Promise<ToolOutput>;
}

/** A workspace with the tools on it, as one job has them. */
export async function createToolSession(
  files: Readonly<Record<string, string | Uint8Array>>,
  options?: TestWorkspaceOptions,
): Promise<ToolSession> {
  const test = await createTestWorkspace(files, options);
  const runTool = createToolRunner(createTools());
  const transcript: TranscriptEntry[] = [{ type: "prompt", text: "test" }];
  const { signal } = new AbortController();
  return {
    ...test,
    async run(toolName, input) {
      const toolCallId = String(transcript.length);
      transcript.push({
        type: "answer",
        content: [{ type: "tool-call", toolCallId, toolName, input }],
        finishReason: "tool-calls",
        usage: { inputTokens: 0, outputTokens: 0 },
      });
      const output = await runTool({ toolCallId, toolName, input }, { workspace: test.workspace, transcript, signal });
      transcript.push({ type: "tool-result", toolCallId, toolName, output });
      return output;
    },
  };
}
