import { generateText, jsonSchema, tool, type ContentPart, type ToolSet, wrapLanguageModel } from "ai";
import type { JSONValue, LanguageModelV4 } from "@ai-sdk/provider";
import { tooDeepAt } from "../workspace/docs/config/json-literal.ts";
import { toModelMessages } from "./messages.ts";
import { sanitizeJson, sanitizeText } from "./sanitize.ts";
import type { Tool } from "./tools/tool.ts";
import type { Answer, AnswerPart, Transcript } from "./transcript.ts";

/** One call with its retries may take this long; a model that says nothing for longer will not answer. */
const CALL_TIMEOUT_MS = 10 * 60_000;

const TOKENS_A_CALL_MAX = 1_000_000_000;

/** Our tools as the AI SDK declares them: without `execute`, since the job runs them one at a time and keeps each result. */
export function declareTools(tools: readonly Tool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema<JSONValue>(inputSchema) }),
    ]),
  );
}

/**
 * Asks the model for its next answer to a transcript: one step, nothing is run. Arguments that are not JSON come back
 * as raw text in the tool call's `input`. All text is sanitised, and every `toolCallId` is new to the transcript.
 * @throws what the AI SDK throws; `describeModelFailure` says it in a sentence. The abort reason when `signal` aborts.
 */
export async function callModel(
  { model, instructions, tools }: { model: LanguageModelV4; instructions: string; tools: ToolSet },
  transcript: Transcript,
  { signal }: { signal: AbortSignal },
): Promise<Answer> {
  const result = await generateText({
    model: withUniqueCallIds(model, knownCallIds(transcript)),
    instructions,
    messages: toModelMessages(transcript),
    tools,
    maxRetries: 2,
    abortSignal: signal,
    timeout: { totalMs: CALL_TIMEOUT_MS },
  });
  const reason = result.finishReason;
  return {
    content: answerParts(result.content),
    finishReason: reason === "interrupted" ? "other" : reason,
    usage: { inputTokens: tokenCount(result.usage.inputTokens), outputTokens: tokenCount(result.usage.outputTokens) },
  };
}

/** A server may say anything; what is counted and stored is a number of tokens that one call can have. */
function tokenCount(tokens: number | undefined): number {
  if (tokens === undefined || Number.isNaN(tokens)) return 0;
  return Math.trunc(Math.min(Math.max(tokens, 0), TOKENS_A_CALL_MAX));
}

function answerParts(content: readonly ContentPart<ToolSet>[]): AnswerPart[] {
  const parts: AnswerPart[] = [];
  for (const part of content) {
    if (part.type === "text" || part.type === "reasoning") {
      // A signature may stand on empty reasoning and must go back with it; empty text says nothing.
      if (part.text.length === 0 && part.providerMetadata === undefined) continue;
      parts.push({ type: part.type, text: sanitizeText(part.text), ...metadata(part.providerMetadata) });
    } else if (part.type === "tool-call") {
      parts.push({
        type: "tool-call",
        toolCallId: part.toolCallId,
        toolName: sanitizeText(part.toolName),
        input: sanitizeJson(part.input),
        ...metadata(part.providerMetadata),
      });
    }
  }
  return parts;
}

function metadata(value: unknown): { providerMetadata?: JSONValue } {
  return value === undefined ? {} : { providerMetadata: sanitizeJson(value) };
}

function knownCallIds(transcript: Transcript): Set<string> {
  return new Set(
    transcript.flatMap((entry) =>
      entry.type === "answer"
        ? entry.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))
        : [],
    ),
  );
}

/**
 * Some servers count their ids from zero in every answer, or use one twice in an answer. A history with the same id
 * twice is refused elsewhere, and the AI SDK takes two calls of one id for the same call: they are told apart first.
 */
function withUniqueCallIds(model: LanguageModelV4, usedIds: Set<string>): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      async wrapGenerate({ doGenerate }) {
        const result = await doGenerate();
        const content = result.content.map((part) =>
          part.type === "tool-call"
            ? {
                ...part,
                toolCallId: newCallId(sanitizeText(part.toolCallId), usedIds),
                // As a text it is refused by the tool, which tells the model; the AI SDK would run out of stack.
                input: tooDeepAt(part.input) !== undefined ? JSON.stringify(part.input.slice(0, 500)) : part.input,
              }
            : part,
        );
        return { ...result, content };
      },
    },
  });
}

function newCallId(id: string, usedIds: Set<string>): string {
  const base = id.length > 0 ? id : "call";
  let unique = base;
  for (let count = 2; usedIds.has(unique); count += 1) unique = `${base}_${count}`;
  usedIds.add(unique);
  return unique;
}
