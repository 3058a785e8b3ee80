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

interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** One model answer, complete. */
export interface Answer {
  content: AnswerPart[];
  finishReason: "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";
  usage: Usage;
}

/**
 * What has happened in a job so far, in order. Everything the loop decides is a function of these entries, so any
 * worker continues from them. `prompt` is the user's words, `note` is Docent's own word to the model.
 */
export type TranscriptEntry =
  | { type: "prompt"; text: string }
  | { type: "note"; text: string }
  | ({ type: "answer" } & Answer)
  | { type: "tool-result"; toolCallId: string; toolName: string; output: ToolOutput };

export type Transcript = readonly TranscriptEntry[];
