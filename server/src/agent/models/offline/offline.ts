import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from "@ai-sdk/provider";
import { readConversation } from "./conversation.ts";
import { describeOffline } from "./describe.ts";
import { nextCalls } from "./plan.ts";
import type { PlannedCall } from "./task.ts";

const NO_USAGE = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/**
 * `docent:offline`: a language model without a language model. It reads maintenance instructions by fixed rules and
 * answers with tool calls; the same conversation always gets the same answer. What it does not understand in full it
 * gives up on, and says what it understands.
 */
export function createOfflineModel(): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "docent",
    modelId: "offline",
    supportedUrls: {},
    doGenerate: (options) => Promise.resolve(generate(options)),
    doStream(options) {
      const { content, finishReason, usage } = generate(options);
      const parts: LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: [] }];
      for (const [index, part] of content.entries()) {
        if (part.type === "tool-call") parts.push(part);
        if (part.type !== "text") continue;
        const id = String(index);
        parts.push({ type: "text-start", id }, { type: "text-delta", id, delta: part.text }, { type: "text-end", id });
      }
      parts.push({ type: "finish", finishReason, usage });
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return Promise.resolve({ stream });
    },
  };
}

function generate({ prompt, tools, abortSignal }: LanguageModelV4CallOptions): LanguageModelV4GenerateResult {
  abortSignal?.throwIfAborted();
  const offered = new Set(tools?.map(({ name }) => name));
  const turn = readConversation(prompt);
  const calls = turn.prompts.length > 0 ? nextCalls(turn.prompts, turn.steps) : finishAgain(turn.finished);
  if (!calls.every(({ toolName }) => offered.has(toolName))) {
    return {
      ...answer("stop"),
      content: [{ type: "text", text: `This model works with Docent's tools alone.\n\n${describeOffline()}` }],
    };
  }
  const content = calls.map(({ toolName, input }, index): LanguageModelV4ToolCall => ({
    type: "tool-call",
    toolCallId: `offline_${turn.callCount + index + 1}`,
    toolName,
    input: JSON.stringify(input),
  }));
  return { ...answer("tool-calls"), content };
}

/** A note that comes after the end, about problems that remain, is the reviewer's to read: the work is done. */
function finishAgain(finished: { title: string; summary: string } | undefined): PlannedCall[] {
  if (finished === undefined)
    return [{ toolName: "give_up", input: { reason: `There is no instruction.\n\n${describeOffline()}` } }];
  return [{ toolName: "finish", input: { ...finished } }];
}

function answer(reason: "stop" | "tool-calls"): Omit<LanguageModelV4GenerateResult, "content"> {
  return { finishReason: { unified: reason, raw: undefined }, usage: NO_USAGE, warnings: [] };
}
