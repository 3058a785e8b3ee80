import type { ProviderName } from "../../models/providers.ts";

/** What a scripted provider says to one request. */
export interface WireAnswer {
  /** Sent piece by piece. */
  text?: readonly string[];
  /** `arguments` is sent as it is, also when it is not JSON. */
  toolCalls?: readonly { id: string; name: string; arguments: string }[];
  finish?: "stop" | "tool-calls" | "content-filter";
  /**
   * What comes after that: its end (the default); the connection breaks; the answer stops without its end; nothing
   * comes any more; the provider says that it is overloaded.
   */
  after?: "complete" | "break" | "end" | "stall" | "overloaded";
}

/** An error instead of an answer, as the provider words it. `silence`: not even that. */
export type WireRefusal = "overloaded" | "limited" | "context" | "key" | "model" | "silence";

export interface WireUsage {
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
}

/** What every scripted answer is said to have used. */
export const WIRE_USAGE: WireUsage = { inputTokens: 120, cachedInputTokens: 100, outputTokens: 9 };

/** In seconds: what a provider that limits asks for. */
export const WIRE_RETRY_AFTER = 7;

export interface WireError {
  status: number;
  headers?: Record<string, string>;
  body: object;
}

/** How one provider speaks. The sources of the shapes are named with each. */
export interface Wire {
  provider: ProviderName;
  /** `provider:model`. */
  model: string;
  contentType: string;
  /** The path that a request for an answer goes to, after the base URL. */
  path: string;
  /** The header that holds the key, and what it holds. */
  credential(key: string): { header: string; value: string };
  /** The beginning of an answer with its text and calls. */
  begin(answer: WireAnswer): (string | Uint8Array)[];
  /** Its end, with what it used. */
  complete(answer: WireAnswer, usage: WireUsage): (string | Uint8Array)[];
  /** In the middle of an answer. */
  overloaded(): string | Uint8Array;
  errors: Record<Exclude<WireRefusal, "silence">, WireError>;
  /** False where arguments travel as an object: what is not JSON cannot come. */
  sendsArgumentsAsText: boolean;
}

/** One server-sent event. */
export function sse(data: object | string, event?: string): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  return `${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}
