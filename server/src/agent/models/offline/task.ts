import type { JSONObject, JSONValue } from "@ai-sdk/provider";
import { isJsonObject } from "../../json-object.ts";
import type { ToolOutput } from "../../transcript.ts";

export interface PlannedCall {
  toolName: string;
  input: JSONObject;
}

/** What came of one instruction. */
export type Outcome =
  /** `title` in the imperative; `summary` in Markdown. */
  { type: "done"; title: string; summary: string; changedFiles: boolean } | { type: "failed"; reason: string };

/**
 * The work of an instruction: yields the tool calls of one answer and receives their outputs in the same order. It
 * must depend on nothing else, so that replaying the outputs of a conversation leads to the same next calls.
 */
export type Task = Generator<PlannedCall[], Outcome, ToolOutput[]>;

export function* callTool(toolName: string, input: JSONObject): Generator<PlannedCall[], ToolOutput, ToolOutput[]> {
  const [output] = yield [{ toolName, input }];
  return output ?? { type: "error-text", value: `${toolName} gave no result.` };
}

export function outputText(output: ToolOutput): string {
  return output.type === "json" ? JSON.stringify(output.value) : output.value;
}

/** A field of a JSON output; undefined when the output has none. */
export function outputField(output: ToolOutput, name: string): JSONValue | undefined {
  return output.type === "json" && isJsonObject(output.value) ? output.value[name] : undefined;
}

export function countField(output: ToolOutput, name: string): number {
  const value = outputField(output, name);
  return typeof value === "number" ? value : 0;
}
