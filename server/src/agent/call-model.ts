import { jsonSchema, tool, type ToolSet } from "ai";
import type { JSONValue } from "@ai-sdk/provider";
import { ModelCallError, ModelSideError, readModelFailure, type ModelFailure } from "./model-failure.ts";
import { streamAnswer, type StreamedCall } from "./stream-answer.ts";
import type { Tool } from "./tools/tool.ts";
import type { Answer, Transcript } from "./transcript.ts";

/** How often one call is tried in a row, before its job waits without holding a worker. */
const ATTEMPTS_MAX = 3;
/** Each silent attempt has already taken minutes. */
const SILENT_ATTEMPTS_MAX = 2;
/** A longer wait is not for a worker. */
export const WAIT_MAX_MS = 5_000;
const WAIT_FIRST_MS = 500;

export type Delay = (ms: number, signal: AbortSignal) => Promise<void>;

/** Our tools as the AI SDK declares them: without `execute`, since the job runs them one at a time and keeps each result. */
export function declareTools(tools: readonly Tool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema<JSONValue>(inputSchema) }),
    ]),
  );
}

export interface CallOptions {
  signal: AbortSignal;
  /** Gets the answer's text while it is written. Null: the attempt came to nothing, and the text begins anew. */
  onText?: ((text: string | null) => void) | undefined;
  delay: Delay;
}

/**
 * Asks the model for its next answer to a transcript: one step, nothing is run. Arguments that are not JSON come back
 * as raw text in the tool call's `input`. All text is sanitised, and every `toolCallId` is new to the transcript. What
 * passes within seconds is tried again here.
 * @throws ModelCallError for all that the model or the way to it did; the abort's reason when `signal` aborts.
 */
export function callModel(call: StreamedCall, transcript: Transcript, options: CallOptions): Promise<Answer> {
  return withAttempts(call.model.provider, options, (onText) =>
    streamAnswer(call, transcript, { signal: options.signal, onText }),
  );
}

/** Tries what calls a model, as often and as long as a worker may be held for it. */
export async function withAttempts<Result>(
  provider: StreamedCall["model"]["provider"],
  { signal, onText, delay }: CallOptions,
  attempt: (onText: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    let hasText = false;
    try {
      return await attempt((text) => {
        hasText = true;
        onText?.(text);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelSideError)) throw error;
      const failure = readModelFailure(error.cause, provider);
      const waitMs = nextWait(failure, attempts);
      if (waitMs === undefined) throw new ModelCallError(failure);
      if (hasText) onText?.(null);
      await delay(waitMs, signal);
    }
  }
}

function nextWait(failure: ModelFailure, attempts: number): number | undefined {
  if (!failure.isRetryable || attempts >= (failure.kind === "silent" ? SILENT_ATTEMPTS_MAX : ATTEMPTS_MAX))
    return undefined;
  const waitMs = failure.retryAfterMs ?? WAIT_FIRST_MS * 3 ** (attempts - 1);
  return waitMs > WAIT_MAX_MS ? undefined : waitMs;
}
