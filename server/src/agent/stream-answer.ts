import {
  streamText,
  type ContentPart,
  type LanguageModelUsage,
  type ModelMessage,
  type StepResult,
  type SystemModelMessage,
  type ToolSet,
} from "ai";
import type { JSONValue, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { withCachePoints } from "./cache-points.ts";
import { toModelMessages } from "./messages.ts";
import { InterruptedAnswerError, ModelSideError } from "./model-failure.ts";
import type { ResolvedModel } from "./models/models.ts";
import { sanitizeJson, sanitizeText } from "./sanitize.ts";
import { withSafeToolCalls } from "./tool-call-stream.ts";
import type { Answer, AnswerPart, Transcript, Usage } from "./transcript.ts";
import { createWatchdog, type AnswerTimes } from "./watchdog.ts";

const TOKENS_A_CALL_MAX = 1_000_000_000;

export interface StreamedCall {
  model: ResolvedModel;
  /** The job's own model, whose answers are the ones that do not name a model. */
  ownModel: string;
  instructions: string;
  tools: ToolSet;
  times: AnswerTimes;
  /** Puts prompts, documents and answers into traces. */
  traceContent: boolean;
}

/**
 * Asks the model once for its next answer. `onText` gets the text while it is written, as it comes.
 * @throws ModelSideError when that fails, and nothing of a half answer is kept; the abort's reason when `signal` aborts
 */
export async function streamAnswer(
  call: StreamedCall,
  transcript: Transcript,
  options: { signal: AbortSignal; onText?: ((text: string) => void) | undefined },
): Promise<Answer> {
  const { model, instructions, tools } = call;
  const messages = toModelMessages(transcript, call);
  const asked = { ...withCachePoints(model, instructions, messages), tools, usedCallIds: knownCallIds(transcript) };
  const { content, finishReason, usage } = await streamStep(call, asked, options);
  return {
    content: answerParts(content),
    finishReason: finishReason === "interrupted" ? "other" : finishReason,
    usage: toUsage(usage, model),
    ...(model.name === call.ownModel ? {} : { model: model.name }),
  };
}

/** Asks the model once for a text. Throws like `streamAnswer`. */
export async function streamPlainText(
  call: Pick<StreamedCall, "model" | "times" | "traceContent">,
  asked: { instructions: string; prompt: string },
  { signal }: { signal: AbortSignal },
): Promise<{ text: string; usage: Usage }> {
  const messages: ModelMessage[] = [{ role: "user", content: asked.prompt }];
  const { text, usage } = await streamStep(call, { instructions: asked.instructions, messages }, { signal });
  return { text: sanitizeText(text), usage: toUsage(usage, call.model) };
}

interface Asked {
  instructions: string | SystemModelMessage;
  messages: ModelMessage[];
  tools?: ToolSet;
  usedCallIds?: Set<string>;
}

async function streamStep(
  { model, times, traceContent }: Pick<StreamedCall, "model" | "times" | "traceContent">,
  { usedCallIds = new Set(), ...asked }: Asked,
  { signal, onText }: { signal: AbortSignal; onText?: ((text: string) => void) | undefined },
): Promise<StepResult<ToolSet>> {
  const watchdog = createWatchdog(times);
  try {
    const result = streamText({
      model: withSafeToolCalls(model.model, usedCallIds, watchdog.alive),
      ...asked,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, watchdog.signal]),
      providerOptions: PROVIDER_OPTIONS,
      telemetry: { recordInputs: traceContent, recordOutputs: traceContent },
      // Errors are thrown below; the default writes them to the console.
      onError: () => {},
    });
    for await (const part of result.stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "abort") break;
      if (part.type === "text-delta") onText?.(part.text);
    }
    signal.throwIfAborted();
    watchdog.signal.throwIfAborted();
    const step = await result.finalStep;
    // A stream that ended before the model said that it is done: of Bedrock, the package says "other" without a reason.
    const isCut = step.finishReason === "interrupted" || (step.finishReason === "other" && !step.rawFinishReason);
    if (isCut) throw new InterruptedAnswerError();
    return step;
  } catch (error) {
    // The packages wrap an abort in errors of their own.
    signal.throwIfAborted();
    throw new ModelSideError(watchdog.signal.aborted ? watchdog.signal.reason : error);
  } finally {
    watchdog.stop();
  }
}

/** Each provider reads its own and no other's. */
const PROVIDER_OPTIONS: SharedV4ProviderOptions = {
  // Pings are signs of life while a model thinks without a word.
  anthropic: { includePings: true },
  // Nothing is left with the provider, and a transcript does not depend on what it still has.
  openai: { store: false },
};

function toUsage(used: LanguageModelUsage, { facts }: ResolvedModel): Usage {
  const { inputTokenDetails, outputTokenDetails } = used;
  const optional = {
    cachedInputTokens: tokenCount(inputTokenDetails.cacheReadTokens),
    cacheWriteTokens: tokenCount(inputTokenDetails.cacheWriteTokens),
    reasoningTokens: tokenCount(outputTokenDetails.reasoningTokens),
  };
  const usage: Usage = {
    inputTokens: tokenCount(used.inputTokens),
    outputTokens: tokenCount(used.outputTokens),
    ...Object.fromEntries(Object.entries(optional).filter(([, count]) => count > 0)),
  };
  return { ...usage, costNanoUsd: facts.costNanoUsd(usage) };
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
