import type { ToolCall, ToolOutput } from "../transcript.ts";
import { sanitizeJson, sanitizeText } from "../sanitize.ts";
import { contextRefusal } from "./context-files.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** Runs tool calls by name, with sanitised output. An unknown name is an answer that lists the tools. */
export function createToolRunner(
  tools: readonly Tool[],
): (call: ToolCall, context: ToolContext) => Promise<ToolOutput> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return async (call, context) => {
    context.signal.throwIfAborted();
    const tool = byName.get(call.toolName);
    if (tool === undefined) {
      const value = `There is no tool called ${JSON.stringify(call.toolName)}. The tools are: ${[...byName.keys()].join(", ")}.`;
      return { type: "error-text", value: sanitizeText(value) };
    }
    const refused = contextRefusal(call, context);
    if (refused !== undefined) return { type: "error-text", value: sanitizeText(refused) };
    const output = await tool.run(call.input, context);
    return output.type === "json"
      ? { type: "json", value: sanitizeJson(output.value) }
      : { type: output.type, value: sanitizeText(output.value) };
  };
}
