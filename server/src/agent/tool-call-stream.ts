import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4ToolCall } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { tooDeepAt } from "../workspace/docs/config/json-literal.ts";
import { sanitizeText } from "./sanitize.ts";

/**
 * The model with its stream made safe for the AI SDK, and `onPart` called for all that comes. Some servers count their
 * ids from zero in every answer, or use one twice in an answer. A history with the same id twice is refused elsewhere,
 * and the AI SDK takes two calls of one id for the same call: they are told apart first. The pieces of a call's
 * arguments, which nobody looks at, are left out.
 */
export function withSafeToolCalls(model: LanguageModelV4, usedIds: Set<string>, onPart: () => void): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      async wrapStream({ doStream }) {
        const result = await doStream();
        const safe = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
          transform(part, controller) {
            // What the package says before it has heard of the model.
            if (part.type !== "stream-start") onPart();
            if (part.type === "tool-call") controller.enqueue(safeToolCall(part, usedIds));
            else if (!part.type.startsWith("tool-input-")) controller.enqueue(part);
          },
        });
        return { ...result, stream: result.stream.pipeThrough(safe) };
      },
    },
  });
}

function safeToolCall(call: LanguageModelV4ToolCall, usedIds: Set<string>): LanguageModelV4ToolCall {
  return {
    ...call,
    toolCallId: newCallId(sanitizeText(call.toolCallId), usedIds),
    // As a text it is refused by the tool, which tells the model; the AI SDK would run out of stack.
    input: tooDeepAt(call.input) !== undefined ? JSON.stringify(call.input.slice(0, 500)) : call.input,
  };
}

function newCallId(id: string, usedIds: Set<string>): string {
  const base = id.length > 0 ? id : "call";
  let unique = base;
  for (let count = 2; usedIds.has(unique); count += 1) unique = `${base}_${count}`;
  usedIds.add(unique);
  return unique;
}
