import type { JSONValue } from "@ai-sdk/provider";

export interface ToolCall {
  toolCallId: string;
  toolName: string;
  /** The arguments as the model gave them: parsed JSON, or the raw text when it was not JSON. */
  input: JSONValue;
}

/** What a tool answers to the model, in the AI SDK's output form. */
export type ToolOutput =
  | { type: "text"; value: string }
  | { type: "json"; value: JSONValue }
  | { type: "error-text"; value: string };

export type AnswerPart =
  | { type: "text"; text: string; providerMetadata?: JSONValue }
  | { type: "reasoning"; text: string; providerMetadata?: JSONValue }
  | ({ type: "tool-call"; providerMetadata?: JSONValue } & ToolCall);

/** What one call of a model used. What a provider does not tell is absent. */
export interface Usage {
  /** All of them, cached ones included. */
  inputTokens: number;
  /** Of them, those that the provider had in its cache. */
  cachedInputTokens?: number;
  /** Of them, those that it put into its cache. */
  cacheWriteTokens?: number;
  /** All of them, those of reasoning included. */
  outputTokens: number;
  reasoningTokens?: number;
  /** Billionths of a US dollar; null when the model's price is not known. */
  costNanoUsd?: number | null;
}

/** One model answer, complete. */
export interface Answer {
  content: AnswerPart[];
  finishReason: "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";
  usage: Usage;
  /** Which model said it, where that was not the job's own. */
  model?: string;
}

/**
 * The conversation had grown too long for the model. `trim`: the results of tools before it are shown shortened.
 * `summary`: all before it is replaced by the prompts and this text.
 */
export type Compaction =
  | { type: "compaction"; stage: "trim" }
  | { type: "compaction"; stage: "summary"; text: string; usage?: Usage };

/**
 * What has happened in a job so far, in order. Everything the loop decides is a function of these entries, so any
 * worker continues from them. `prompt` is the user's words, `note` is Docent's own word to the model.
 */
export type TranscriptEntry =
  | { type: "prompt"; text: string }
  | { type: "note"; text: string }
  | ({ type: "answer" } & Answer)
  | { type: "tool-result"; toolCallId: string; toolName: string; output: ToolOutput }
  | Compaction;

export type Transcript = readonly TranscriptEntry[];
