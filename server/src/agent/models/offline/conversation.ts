import type {
  JSONValue,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import { isJsonObject } from "../../json-object.ts";
import { CHANGES_DISCARDED_NOTE, INTERRUPTED } from "../../messages.ts";
import type { ToolOutput } from "../../transcript.ts";
import type { TakenStep } from "./plan.ts";

/** What a conversation says about the turn that is under way. */
export interface PresentTurn {
  /** What the user said since the last `finish` or `give_up`. */
  prompts: string[];
  steps: TakenStep[];
  /** The `finish` that ended the turn before; only when no prompt came since. */
  finished: { title: string; summary: string } | undefined;
  /** Tool calls in the whole conversation: new calls are numbered from here. */
  callCount: number;
}

export function readConversation(prompt: LanguageModelV4Prompt): PresentTurn {
  const turn: PresentTurn = { prompts: [], steps: [], finished: undefined, callCount: 0 };
  for (const [index, message] of prompt.entries()) {
    if (message.role === "user") {
      for (const { type, text } of wordsOf(message)) {
        if (type === "prompt") turn.prompts.push(text);
        else if (text === CHANGES_DISCARDED_NOTE) turn.steps = [];
      }
    } else if (message.role === "assistant") {
      const calls = message.content.filter((part) => part.type === "tool-call");
      turn.callCount += calls.length;
      const results = toolResults(prompt[index + 1]);
      const step = calls.map(({ toolCallId, toolName, input }) => {
        const output = results.get(toolCallId) ?? INTERRUPTED;
        return { toolName, input, output, wasInterrupted: isInterrupted(output) };
      });
      const end = step.find(({ toolName, output }) => isEnd(toolName) && output.type !== "error-text");
      if (end !== undefined) {
        turn.prompts = [];
        turn.steps = [];
        turn.finished = end.toolName === "finish" ? readFinish(end.input) : undefined;
      } else if (step.length > 0) {
        turn.steps.push({ calls: step });
      }
    }
  }
  return turn;
}

function isEnd(toolName: string): boolean {
  return toolName === "finish" || toolName === "give_up";
}

function isInterrupted(output: ToolOutput): boolean {
  return output.type === "error-text" && output.value === INTERRUPTED.value;
}

/** The user's and Docent's words apart, as `toModelMessages` sends them along; from elsewhere all words are the user's. */
function wordsOf(message: Extract<LanguageModelV4Message, { role: "user" }>): { type: string; text: string }[] {
  return message.content.flatMap((part) => {
    if (part.type !== "text") return [];
    const listed: JSONValue | undefined = part.providerOptions?.["docent"]?.["words"];
    if (!Array.isArray(listed)) return [{ type: "prompt", text: part.text }];
    return listed.flatMap((each: JSONValue) =>
      isJsonObject(each) && typeof each["text"] === "string" && typeof each["type"] === "string"
        ? [{ type: each["type"], text: each["text"] }]
        : [],
    );
  });
}

function toolResults(message: LanguageModelV4Message | undefined): Map<string, ToolOutput> {
  const results = new Map<string, ToolOutput>();
  if (message?.role !== "tool") return results;
  for (const part of message.content) {
    if (part.type === "tool-result") results.set(part.toolCallId, readOutput(part.output));
  }
  return results;
}

function readOutput(output: LanguageModelV4ToolResultOutput): ToolOutput {
  if (output.type === "text" || output.type === "json" || output.type === "error-text") return output;
  return { type: "error-text", value: JSON.stringify(output) };
}

function readFinish(input: unknown): { title: string; summary: string } {
  const entries =
    typeof input === "object" && input !== null ? new Map(Object.entries(input)) : new Map<string, unknown>();
  return { title: String(entries.get("title") ?? "Finish"), summary: String(entries.get("summary") ?? "Finished.") };
}
