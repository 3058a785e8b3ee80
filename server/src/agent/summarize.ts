import { withAttempts, type CallOptions } from "./call-model.ts";
import { CONTEXT_TOKENS_ASSUMED, describeTranscript, plainSummary } from "./compaction.ts";
import { ModelCallError } from "./model-failure.ts";
import { streamPlainText, type StreamedCall } from "./stream-answer.ts";
import type { Compaction, Transcript, Usage } from "./transcript.ts";

/** Of its window, what the model is given to summarise: the estimate is rough, and the summary needs room too. */
const CHARACTERS_PER_CONTEXT_TOKEN = 1.5;
const CHARACTERS_MAX = 600_000;

const INSTRUCTIONS = `You are working on documentation, and your conversation has become too long. Summarise it for yourself, in at most
800 words: what the user wants, with every requirement that still matters, word for word where it counts; what you found out,
with paths; what you have changed, file by file; what went wrong; and what is still to be done. Write the summary and nothing else.`;

/**
 * Has the model summarise the conversation so far. What the model cannot summarise is summarised without it, so that
 * the job goes on.
 * @throws ModelCallError when the model cannot be called at all; the abort's reason when `signal` aborts
 */
export async function summarize(
  call: Pick<StreamedCall, "model" | "times" | "traceContent">,
  transcript: Transcript,
  options: Omit<CallOptions, "onText">,
): Promise<Extract<Compaction, { stage: "summary" }>> {
  const contextTokens = call.model.facts.contextTokens ?? CONTEXT_TOKENS_ASSUMED;
  const charactersMax = Math.min(contextTokens * CHARACTERS_PER_CONTEXT_TOKEN, CHARACTERS_MAX);
  const used: Usage[] = [];
  for (const share of [1, 0.25]) {
    try {
      const prompt = describeTranscript(transcript, charactersMax * share);
      const asked = { instructions: INSTRUCTIONS, prompt };
      const { text, usage } = await withAttempts(call.model.provider, options, () =>
        streamPlainText(call, asked, options),
      );
      used.push(usage);
      if (text.trim() !== "") return { type: "compaction", stage: "summary", text: text.trim(), usage: sum(used) };
    } catch (error) {
      if (!(error instanceof ModelCallError) || error.failure.kind !== "context") throw error;
    }
  }
  const spent = used.length === 0 ? {} : { usage: sum(used) };
  return { type: "compaction", stage: "summary", text: plainSummary(transcript), ...spent };
}

/** What an empty summary cost is spent as well. */
function sum(used: readonly Usage[]): Usage {
  const total = (
    field: "inputTokens" | "cachedInputTokens" | "cacheWriteTokens" | "outputTokens" | "reasoningTokens",
  ) => used.reduce((all, usage) => all + (usage[field] ?? 0), 0);
  const isPriced = used.every(({ costNanoUsd }) => typeof costNanoUsd === "number");
  return {
    inputTokens: total("inputTokens"),
    cachedInputTokens: total("cachedInputTokens"),
    cacheWriteTokens: total("cacheWriteTokens"),
    outputTokens: total("outputTokens"),
    reasoningTokens: total("reasoningTokens"),
    costNanoUsd: isPriced ? used.reduce((all, { costNanoUsd }) => all + (costNanoUsd ?? 0), 0) : null,
  };
}
